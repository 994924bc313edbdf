//@ run: verify --memory sc
//@ expect: holds
// Enumerations: running values, gaps, duplicates, negatives, use as array sizes and labels.
#include <assert.h>

enum colour { RED, GREEN = 5, BLUE, ALIAS = GREEN, LAST };
enum level { LOW = -2, MID, HIGH = 1 << 4 };
typedef enum { SIZE = 3, TOTAL = SIZE * SIZE } shape_t;
enum { FLAG_A = 1, FLAG_B = 2, FLAG_AB = FLAG_A | FLAG_B };
enum big { TOP = 0x7fffffff, LETTER = 'a', LEN = sizeof(long) };

static int table[TOTAL];

static const char *name(enum colour c)
{
    switch (c) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
    default: return "?";
    }
}

int main(void)
{
    enum colour c = BLUE;
    enum level l = LOW;
    shape_t s = TOTAL;

    assert(RED == 0 && GREEN == 5 && BLUE == 6 && ALIAS == 5 && LAST == 6);
    assert(LOW == -2 && MID == -1 && HIGH == 16);
    assert(s == 9 && sizeof table == 9 * sizeof(int));
    assert(FLAG_AB == 3);
    assert(TOP == 2147483647 && LETTER == 97 && LEN == 8);
    assert(l < 0);
    assert(c + 1 == 7);
    assert(name(c)[0] == 'b' && name(RED)[1] == 'e' && name(ALIAS)[0] == 'g' && name(9)[0] == '?');
    c = (enum colour)5;
    assert(c == GREEN);
    c++;
    assert(c == BLUE);
    {
        enum { RED = 77 };    /* hides the outer constant */
        assert(RED == 77);
    }
    assert(RED == 0);
    return 0;
}
