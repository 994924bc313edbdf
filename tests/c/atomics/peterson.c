//@ run: verify --memory sc
//@ expect: holds
// Peterson's mutual exclusion with seq_cst accesses; the critical section is plain data.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int want[2], turn;
static int inside, count;

static void *run(void *arg)
{
    int me = (int)(long)arg, other = 1 - me;
    want[me] = 1;
    turn = other;
    while (want[other] && turn == other)
        ;
    assert(inside == 0);
    inside = 1;
    count++;
    inside = 0;
    want[me] = 0;
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
