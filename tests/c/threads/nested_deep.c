//@ run: verify --memory sc
//@ expect: holds
//@ run: verify --memory sc -DWIDE
//@ expect: holds
//@ run: verify --memory sc -DDEPTH=12 -DFAIL
//@ expect: violated witness.kind=assertion witness.threads[1]=descend
//@ run: verify --memory rc11 -DWIDE -DFAIL
//@ expect: violated witness.kind=assertion
//@ run: verify --memory sc -DDEPTH=70
//@ expect: unknown limit.message="more than 64 threads"
//@ run: verify --memory sc -DDEPTH=70 --engine naive
//@ expect: unknown limit.message="more than 64 threads"
// Threads that create threads, more than eight deep and, below a thread that is not main, more than
// eight wide: each has a number of its own.
#include <assert.h>
#include <pthread.h>
#ifndef DEPTH
#define DEPTH 11
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void visit(void)
{
    pthread_mutex_lock(&m);
    count++;
    pthread_mutex_unlock(&m);
}

static void *leaf(void *arg)
{
    visit();
    return arg;
}

static void *descend(void *arg)
{
    long left = (long)arg;
    visit();
    if (left > 1) {
        pthread_t t;
        pthread_create(&t, 0, descend, (void *)(left - 1));
        pthread_join(t, 0);
        visit();
    }
#ifdef FAIL
    else
        assert(count < DEPTH);
#endif
    return 0;
}

static void *spread(void *arg)
{
    pthread_t t[10];
    for (int i = 0; i < 10; i++) {
        pthread_create(&t[i], 0, leaf, 0);
        pthread_join(t[i], 0);
    }
#ifdef FAIL
    assert(count < 10);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
#ifdef WIDE
    pthread_create(&t, 0, spread, 0);
    pthread_join(t, 0);
    assert(count == 10);
#else
    pthread_create(&t, 0, descend, (void *)(long)DEPTH);
    pthread_join(t, 0);
    assert(count == 2 * DEPTH - 1);
#endif
    return 0;
}
