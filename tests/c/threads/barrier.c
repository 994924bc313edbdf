//@ run: verify --memory sc
//@ expect: holds
// A barrier separates two phases; exactly one thread is told it is the serial one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t bar;
static int part[2];
static atomic_int serial;

static void *run(void *arg)
{
    int me = (int)(long)arg;
    part[me] = me + 1;
    int rc = pthread_barrier_wait(&bar);
    if (rc == PTHREAD_BARRIER_SERIAL_THREAD)
        serial++;
    else
        assert(rc == 0);
    assert(part[1 - me] == 2 - me);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    assert(pthread_barrier_init(&bar, NULL, 2) == 0);
    pthread_create(&a, 0, run, (void *)0);
    pthread_create(&b, 0, run, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(serial == 1);
    pthread_barrier_destroy(&bar);
    return 0;
}
