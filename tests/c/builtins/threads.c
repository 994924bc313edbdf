//@ run: verify --memory sc
//@ expect: holds
// Builtins from several threads, on plain variables: no race, because every access is atomic.
#include <assert.h>
#include <pthread.h>

static long n;
static int turn;

static void *run(void *a)
{
    long me = (long)a;
    __atomic_fetch_add(&n, me, __ATOMIC_RELAXED);
    while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != me)
        ;
    __sync_fetch_and_add(&turn, 1);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, (void *)1);
    pthread_create(&b, 0, run, (void *)0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 1 && turn == 2);
    return 0;
}
