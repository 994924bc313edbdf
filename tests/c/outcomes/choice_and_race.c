//@ run: verify --memory sc --observe c,r1
//@ expect: holds outcomes={c=1 r1=0; c=1 r1=1; c=2 r1=0; c=2 r1=2}
// A thread chooses what to write.
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_range(int, int);

atomic_int x;
int c, r1;

static void *thread1(void *arg)
{
    (void)arg;
    c = __VERIFIER_nondet_range(1, 2);
    x = c;
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    r1 = x;
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
