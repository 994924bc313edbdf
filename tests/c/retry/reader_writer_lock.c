//@ run: verify -DSHAPE=0
//@ expect: holds stats.executions=12
//@ run: verify -DSHAPE=1
//@ expect: holds stats.executions=12
//@ run: verify -DSHAPE=2
//@ expect: holds stats.executions=12
//@ run: verify -DSHAPE=3 --memory sc
//@ expect: holds stats.executions=12
//@ run: verify -DSHAPE=1 --memory tso
//@ expect: holds stats.executions=12
//@ run: verify -DSHAPE=0 --memory ra
//@ expect: holds stats.executions=12
//@ run: verify -DSHAPE=0 -DREADERS=4 -DWRITERS=4
//@ expect: holds stats.executions=1010
//@ run: verify -DSHAPE=0 -DRELAXED
//@ expect: violated witness.kind=race
//@ run: verify -DSHAPE=2 -DFORGETFUL
//@ expect: violated witness.kind=race
//@ run: verify -DSHAPE=0 -DREADERS=1 -DWRITERS=1 -DTRIES
//@ expect: violated witness.kind=assertion
//@ run: verify -DSHAPE=0 -DREADERS=1 -DWRITERS=2 -DCOUNTS
//@ expect: violated witness.kind=assertion
// A lock for readers and writers, as in Linux: who takes from the counter what is not to be had adds
// it back and tries again. One execution for each order of those who get it, however it is written.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef SHAPE
#define SHAPE 0
#endif
#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 2
#endif
#ifdef RELAXED
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

enum { ALL = 0x100000 };

static atomic_int left = ALL;
static int shared;

static int can(int found, int want)
{
    return want == 1 ? found > 0 : found == ALL;
}

static int take(int want)
{
    return atomic_fetch_sub_explicit(&left, want, memory_order_acquire);
}

static void give_back(int want)
{
    atomic_fetch_add_explicit(&left, want, memory_order_relaxed);
}

static void release(int want)
{
    atomic_fetch_add_explicit(&left, want, RELEASE);
}

static int see(void)
{
    return atomic_load_explicit(&left, memory_order_relaxed);
}

static void get(int want)
{
#ifdef FORGETFUL
    if (want == 1) { /* the second attempt is taken for granted */
        if (!can(take(want), want)) {
            give_back(want);
            while (!can(see(), want))
                ;
            take(want);
        }
        return;
    }
#endif
#if SHAPE == 0
    int found = take(want);
    while (!can(found, want)) {
        give_back(want);
        while (!can(see(), want))
            ;
        found = take(want);
    }
#elif SHAPE == 1
    for (;;) {
        if (can(take(want), want))
            return;
        give_back(want);
    }
#elif SHAPE == 2
    while (!can(take(want), want)) {
        give_back(want);
        int now;
        do
            now = see();
        while (!can(now, want));
    }
#else
again:
    if (!can(take(want), want)) {
        give_back(want);
        goto again;
    }
#endif
}

static void *reader(void *unused)
{
    (void)unused;
    get(1);
    int seen = shared;
    (void)seen;
    release(1);
    return 0;
}

static void *writer(void *unused)
{
    (void)unused;
    get(ALL);
    shared++;
#ifdef COUNTS
    assert(see() == 0); /* not while another one tries */
#endif
    release(ALL);
    return 0;
}

#ifdef TRIES
/* Gives up where it finds someone: it may be one who has not got it. */
static void *tries(void *unused)
{
    (void)unused;
    if (can(take(ALL), ALL)) {
        release(ALL);
        return 0;
    }
    give_back(ALL);
    return (void *)1;
}
#endif

int main(void)
{
    pthread_t thread[READERS + WRITERS];
    for (int i = 0; i < READERS; i++)
        pthread_create(&thread[i], 0, reader, 0);
#ifdef TRIES
    void *failed;
    pthread_join(thread[0], 0);
    pthread_t one, other;
    get(ALL);
    pthread_create(&one, 0, writer, 0);
    pthread_create(&other, 0, tries, 0);
    release(ALL);
    pthread_join(other, &failed);
    pthread_join(one, 0);
    assert(!failed);
    return 0;
#else
    for (int i = READERS; i < READERS + WRITERS; i++)
        pthread_create(&thread[i], 0, writer, 0);
    for (int i = 0; i < READERS + WRITERS; i++)
        pthread_join(thread[i], 0);
    return 0;
#endif
}
