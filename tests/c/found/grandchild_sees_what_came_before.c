//@ run: verify --memory sc --observe seen
//@ expect: holds stats.executions=2 outcomes={seen=1; seen=2}
//@ run: verify --memory tso --observe seen
//@ expect: holds stats.executions=2 outcomes={seen=1; seen=2}
// What the main thread did before it created a thread comes before all that the thread's own
// threads do, although the one between has done nothing but create them.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int seen;

static void *reads(void *arg)
{
    seen = atomic_load(&x);
    return arg;
}

static void *between(void *arg)
{
    pthread_t t;
    pthread_create(&t, 0, reads, 0);
    pthread_join(t, 0);
    return arg;
}

static void *writes(void *arg)
{
    atomic_store(&x, 2);
    return arg;
}

int main(void)
{
    atomic_store(&x, 1);
    pthread_t t, u;
    pthread_create(&t, 0, between, 0);
    pthread_create(&u, 0, writes, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
