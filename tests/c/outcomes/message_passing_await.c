//@ run: verify --memory sc --observe r1
//@ expect: holds outcomes={r1=1}
// The reader waits for the flag.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1;

static void *thread1(void *arg)
{
    (void)arg;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    while (atomic_load_explicit(&y, memory_order_acquire) != 1)
        ;
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, thread1, 0);
    pthread_create(&t[1], 0, thread2, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
