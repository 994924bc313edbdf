//@ run: verify
//@ expect: violated witness.kind=race
//@ run: verify --jobs 2
//@ expect: violated witness.kind=race
//@ run: verify -D TELLS --memory ra
//@ expect: violated witness.kind=race
// A loop whose iterations leave something behind (each adds to what it tells), until another thread is done: it
// may go on for as long as anybody follows it. That one reader looks at the thread's memory too early shows in
// its first iteration; executions with five hundred of them show nothing more, and there are very many.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_int x;
static atomic_uintptr_t told;

static void *owner(void *unused)
{
    int *own = calloc(2, sizeof *own);
    do {
        own[1] += 1;
        atomic_store_explicit(&told, (uintptr_t)own, memory_order_relaxed);
#ifdef TELLS
        atomic_fetch_add(&x, 8);
#endif
    } while ((atomic_load_explicit(&x, memory_order_relaxed) & 3) != 2);
    return unused;
}

static void *reader(void *unused)
{
    int *p = (int *)atomic_load_explicit(&told, memory_order_relaxed);
    if (p) {
        volatile int seen = p[1];
        (void)seen;
    }
    return unused;
}

static void *writer(void *unused)
{
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], 0, writer, 0);
    pthread_create(&threads[1], 0, owner, 0);
    pthread_create(&threads[2], 0, reader, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
