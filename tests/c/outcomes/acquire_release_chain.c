//@ run: verify --memory sc --observe r1,r2
//@ expect: holds outcomes={r1=0 r2=0; r1=0 r2=1; r1=1 r2=0; r1=1 r2=1; r1=1 r2=2}
// A release store, an increment that continues its sequence, and an acquire load.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int r1, r2;

static void *thread1(void *arg)
{
    (void)arg;
    atomic_store_explicit(&x, 1, memory_order_release);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    r1 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

static void *thread3(void *arg)
{
    (void)arg;
    r2 = atomic_load_explicit(&x, memory_order_acquire);
    return 0;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, thread1, 0);
    pthread_create(&t[1], 0, thread2, 0);
    pthread_create(&t[2], 0, thread3, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
