//@ run: verify --memory sc
//@ expect: holds
// A sense-reversing barrier for two threads, used twice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int waiting, sense;
static int cell[2];

static void cross(int mine)
{
    if (atomic_fetch_add_explicit(&waiting, 1, memory_order_acq_rel) == 1) {
        atomic_store_explicit(&waiting, 0, memory_order_relaxed);
        atomic_store_explicit(&sense, mine, memory_order_release);
    } else {
        while (atomic_load_explicit(&sense, memory_order_acquire) != mine)
            ;
    }
}

static void *run(void *arg)
{
    int me = (int)(long)arg;
    cell[me] = me + 1;
    cross(1);
    int sum = cell[0] + cell[1];
    cross(0);
    cell[me] = sum;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, (void *)0);
    pthread_create(&b, 0, run, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(cell[0] == 3 && cell[1] == 3);
    return 0;
}
