//@ run: verify
//@ expect: holds scope.assumptions[1]="loops that wait for another thread end" stats.executions=1
//@ run: verify --no-reduction iterations --unroll 2
//@ expect: holds
// A lock taken by adding one, and given up by taking it back: attempts that come to nothing are waiting, which is
// said.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int inside;
static int data;

static void *worker(void *unused)
{
    while (atomic_fetch_add(&inside, 1) != 0)
        atomic_fetch_sub(&inside, 1);
    data++;
    atomic_fetch_sub(&inside, 1);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, worker, 0);
    pthread_create(&threads[1], 0, worker, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
