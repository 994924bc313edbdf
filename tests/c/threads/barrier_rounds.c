//@ run: verify --memory sc
//@ expect: holds
// The same barrier twice: values written before a round are read after it without a race.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t bar;
static int cell[2] = { 1, 2 };

static void *run(void *arg)
{
    int me = (int)(long)arg;
    for (int round = 0; round < 2; round++) {
        int other = cell[1 - me];
        pthread_barrier_wait(&bar);
        cell[me] += other;
        pthread_barrier_wait(&bar);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&bar, 0, 2);
    pthread_create(&a, 0, run, (void *)0);
    pthread_create(&b, 0, run, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(cell[0] == 6 && cell[1] == 6);
    return 0;
}
