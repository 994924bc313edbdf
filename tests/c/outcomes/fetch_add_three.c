//@ run: verify --memory sc --observe r1,r2,r3,x
//@ expect: holds outcomes={r1=0 r2=1 r3=3 x=7; r1=0 r2=5 r3=1 x=7; r1=2 r2=0 r3=3 x=7; r1=4 r2=5 r3=0 x=7; r1=6 r2=0 r3=2 x=7; r1=6 r2=4 r3=0 x=7}
// Three additions and what each of them saw.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int r1, r2, r3;

static void *thread1(void *arg)
{
    (void)arg;
    r1 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    r2 = atomic_fetch_add_explicit(&x, 2, memory_order_acq_rel);
    return 0;
}

static void *thread3(void *arg)
{
    (void)arg;
    r3 = atomic_fetch_add_explicit(&x, 4, memory_order_acquire);
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
