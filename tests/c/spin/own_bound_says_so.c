//@ run: verify --unroll own_bound_says_so.c:13=3
//@ expect: unknown limit.covered="Every execution in which no thread goes round a loop more than 32768 times, nor one with a bound of its own more often than that, is safe."
//@ run: verify
//@ expect: violated witness.kind=assertion
// A loop that was given a bound of its own is cut there, and what is said to be covered says so.
#include <assert.h>
#include <stdatomic.h>
#include <pthread.h>
static atomic_int x;
static void *thread(void *p)
{
    int n = 0;
    for (;;) {
        if (atomic_load(&x) == 3)
            break;
        atomic_fetch_add(&x, 2);
        atomic_fetch_sub(&x, 2);
        assert(++n < 5);
    }
    return p;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    atomic_fetch_add(&x, 1);
    pthread_join(t, 0);
    return 0;
}
