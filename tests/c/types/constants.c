//@ run: verify --memory sc
//@ expect: holds
// Integer and character constants in every spelling, and the type each one gets.
#include <assert.h>

#define TYPE(e) _Generic((e), int: 1, unsigned: 2, long: 3, unsigned long: 4, \
                         long long: 5, unsigned long long: 6, char: 7, default: 0)

int main(void)
{
    assert(0x1F == 31 && 0X1f == 31 && 017 == 15 && 0b101 == 5 && 0 == 00);
    assert(TYPE(1) == 1 && TYPE(1u) == 2 && TYPE(1l) == 3 && TYPE(1UL) == 4);
    assert(TYPE(1ll) == 5 && TYPE(1ULL) == 6 && TYPE(1LLU) == 6 && TYPE(1lu) == 4);
    assert(TYPE(2147483647) == 1 && TYPE(2147483648) == 3);     /* decimal skips unsigned */
    assert(TYPE(0x7fffffff) == 1 && TYPE(0x80000000) == 2);     /* hexadecimal does not */
    assert(TYPE(0xffffffff) == 2 && TYPE(0x100000000) == 3);
    assert(TYPE(0x8000000000000000) == 4 && TYPE(4294967295u) == 2 && TYPE(4294967296u) == 4);
    assert(TYPE(037777777777) == 2);
    assert(TYPE('a') == 1 && TYPE((char)'a') == 7);
    assert('A' == 65 && '\0' == 0 && '\n' == 10 && '\t' == 9 && '\\' == 92 && '\'' == 39);
    assert('\x41' == 'A' && '\101' == 'A' && '\xff' == -1 && '\377' == -1);
    assert('\a' == 7 && '\b' == 8 && '\f' == 12 && '\r' == 13 && '\v' == 11 && '\"' == 34 && '\?' == 63);
    assert(L'a' == 97 && u'b' == 98 && U'c' == 99);
    assert(-2147483648 == -2147483647 - 1 && TYPE(-2147483648) == 3);
    return 0;
}
