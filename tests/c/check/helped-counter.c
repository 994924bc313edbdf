//@ run: check --calls 3
//@ expect: holds
//@ run: check --calls 3 --memory sc
//@ expect: holds
// A counter whose second half follows the first, moved on by whoever finds it behind, by swap or by
// store; a failed attempt leaves a note.
#include <stdatomic.h>

#pragma lineal object spec level=none
#pragma lineal op next = next() -> result
#pragma lineal op look = look() -> result
#pragma lineal spec next = next_of_one()
#pragma lineal spec look = look_of_one()

static int count;
int next_of_one(void) { return count++; }
int look_of_one(void) { return count; }

static atomic_int ahead, behind, note;

int next(void)
{
    for (;;) {
        int a = ahead, b = behind;
        if (b < a) {
            atomic_compare_exchange_strong(&behind, &b, a);
            continue;
        }
        if (atomic_compare_exchange_strong(&ahead, &a, a + 1)) {
            int c = a;
            atomic_compare_exchange_strong(&behind, &c, a + 1);
            return a;
        }
        note = 7;
    }
}

int look(void)
{
    for (;;) {
        int a = ahead, b = behind;
        if (a > b) {
            behind = a;
            continue;
        }
        return a;
    }
}
