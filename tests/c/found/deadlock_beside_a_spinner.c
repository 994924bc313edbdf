//@ run: verify --memory sc
//@ expect: holds
//@ run: verify --memory sc --liveness
//@ expect: violated witness.kind=liveness
// Two threads lock each other out while main spins until they are done. A thread that spins
// counts as running, so this is no deadlock but a loop that never ends: the scope says that one
// was seen, and --liveness reports it.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;

static void *one(void *x)
{
    (void)x;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    done++;
    return 0;
}

static void *two(void *x)
{
    (void)x;
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    done++;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    while (done != 2)
        ;
    return 0;
}
