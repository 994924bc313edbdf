//@ run: verify --memory sc
//@ expect: violated witness.kind=deadlock
// The error path returns with the lock held.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int closed;
static int n;

static int push(void)
{
    pthread_mutex_lock(&m);
    if (closed)
        return -1;
    n++;
    pthread_mutex_unlock(&m);
    return 0;
}

static void *run(void *x) { (void)x; push(); return 0; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    closed = 1;
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
