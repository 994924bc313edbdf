//@ run: robust --libraries one.c,two.c --max-states 400
//@ expect: holds
//@ run: robust --libraries one.c,two.c --max-states 400 -D UNFENCED
//@ expect: unknown
// Four threads that write both registers, with a fence in between. Not all of it is explored here; that it is
// robust follows by composition, since each register is called no more often than was asked about.
#include "registers.h"
#include <pthread.h>

static void *both(void *value)
{
    set_one(value != 0);
#ifndef UNFENCED
    FENCE(seq_cst);
#endif
    set_two(value != 0);
    return value;
}

int main(void)
{
    pthread_t t[3];
    static int some;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, both, &some);
    both(0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
