//@ run: robust --libraries one.c,two.c
//@ expect: holds
//@ run: robust --libraries one.c,two.c -D TIMES=20 --max-states 2000
//@ expect: unknown
// Message passing over two registers: composition asks for a fence in each thread, and exploring shows that
// this client needs none, since release and acquire do. Where it is too large to be explored, nothing is
// claimed.
#include "registers.h"
#include <pthread.h>
#ifndef TIMES
#define TIMES 1
#endif

static void *sender(void *unused)
{
    for (int i = 0; i < TIMES; i++) {
        set_one(1);
        set_two(1);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, sender, 0);
    for (int i = 0; i < TIMES; i++)
        if (get_two())
            get_one();
    pthread_join(t, 0);
}
