//@ run: verify --memory sc
//@ expect: holds
// char, signed char and unsigned char are three types of one size.
#include <assert.h>

static int which(int k)
{
    char c = (char)k;
    signed char s = (signed char)k;
    unsigned char u = (unsigned char)k;
    return (c == s) + 2 * (c == u) + 4 * (s == u);
}

int main(void)
{
    assert(which(5) == 7);
    assert(which(200) == 1);       /* char behaves as signed char here */
    assert(_Generic((char)0, signed char: 1, unsigned char: 2, char: 3) == 3);
    char text[] = { 'h', 'i', 0 };
    unsigned char *bytes = (unsigned char *)text;
    assert(bytes[0] == 104 && bytes[1] == 105 && bytes[2] == 0);
    bytes[0] = 0xe9;
    assert(text[0] == -23 && text[0] != 0xe9);
    signed char t = -128;
    assert(-t == 128);             /* promoted before negation */
    t = (signed char)-t;
    assert(t == -128);
    return 0;
}
