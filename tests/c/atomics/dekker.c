//@ run: verify --memory sc
//@ expect: holds
// Dekker's algorithm with turn-taking.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_bool wants[2];
static atomic_int turn;
static int count;

static void *run(void *arg)
{
    int me = (int)(long)arg;
    wants[me] = 1;
    while (wants[1 - me]) {
        if (turn != me) {
            wants[me] = 0;
            while (turn != me)
                ;
            wants[me] = 1;
        }
    }
    count++;
    turn = 1 - me;
    wants[me] = 0;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, (void *)0);
    pthread_create(&b, 0, run, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
    return 0;
}
