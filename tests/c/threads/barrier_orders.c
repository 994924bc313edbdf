//@ run: verify --memory sc
//@ expect: holds stats.executions=1 stats.blocked=0
//@ run: verify --memory tso -DROUNDS=3
//@ expect: holds stats.executions=1 stats.blocked=0
//@ run: verify --memory ra -DROUNDS=2
//@ expect: holds stats.executions=1 stats.blocked=0
//@ run: verify --memory rc11 -DROUNDS=3
//@ expect: holds stats.executions=1 stats.blocked=0
//@ run: verify --memory rc11 --no-reduction arrivals
//@ expect: holds stats.executions=576 stats.blocked=0
//@ run: verify --memory sc -DSERIAL --observe serial
//@ expect: holds stats.executions=4 outcomes={serial=1; serial=2; serial=3; serial=4}
//@ run: verify --memory rc11 -DSERIAL --observe serial
//@ expect: holds stats.executions=4 outcomes={serial=1; serial=2; serial=3; serial=4}
//@ run: verify --memory sc -DSERIAL --no-reduction arrivals --observe serial
//@ expect: holds stats.executions=576 outcomes={serial=1; serial=2; serial=3; serial=4}
//@ run: verify --memory sc -DSERIAL -DROUNDS=2
//@ expect: holds stats.executions=16
//@ run: verify --memory rc11 -DPOINTER --observe serial
//@ expect: holds outcomes={serial=1; serial=2; serial=3; serial=4}
// Four threads in rounds: it does not matter in which order they arrive and leave (4! orders each; leaving is
// counted because the barrier is destroyed), only which of them is
// told to be the serial one, if anyone asks (4 in each round). A function that is called by way of a pointer
// may be asked, too.
#include <assert.h>
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif

static pthread_barrier_t bar;
static int cell[2][4];
int serial;
#ifdef POINTER
static int (*const wait_at)(pthread_barrier_t *) = pthread_barrier_wait;
#endif

static void *run(void *arg)
{
    int me = (int)(long)arg;
    for (int round = 0; round < ROUNDS; round++) {
        cell[round % 2][me] = round + 1;
#if defined SERIAL
        if (pthread_barrier_wait(&bar) == PTHREAD_BARRIER_SERIAL_THREAD)
            serial = me + 1;
#elif defined POINTER
        if (wait_at(&bar))
            serial = me + 1;
#else
        pthread_barrier_wait(&bar);
#endif
        for (int i = 0; i < 4; i++)
            assert(cell[round % 2][i] == round + 1);
    }
    return 0;
}

int main(void)
{
    pthread_t t[4];
    pthread_barrier_init(&bar, 0, 4);
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], 0, run, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    pthread_barrier_destroy(&bar);
    return 0;
}
