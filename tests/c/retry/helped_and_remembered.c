//@ run: verify --memory sc
//@ expect: violated witness.kind=assertion
//@ run: verify --memory tso
//@ expect: violated witness.kind=assertion
//@ run: verify --memory ra
//@ expect: violated witness.kind=assertion
//@ run: verify
//@ expect: violated witness.kind=assertion
//@ run: verify --no-reduction helping
//@ expect: violated witness.kind=assertion
// Whoever finds the end of the list behind moves it on, and remembers that it did.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int tail = 1, next[4];

static int append(int mine)
{
    int helped = 0, last, expected;
    for (;;) {
        last = atomic_load_explicit(&tail, memory_order_acquire);
        int after = atomic_load_explicit(&next[last], memory_order_acquire);
        expected = 0;
        if (after == 0) {
            if (atomic_compare_exchange_strong_explicit(&next[last], &expected, mine, memory_order_acq_rel,
                                                        memory_order_relaxed))
                break;
        } else {
            helped = 1;
            expected = last;
            atomic_compare_exchange_strong_explicit(&tail, &expected, after, memory_order_release,
                                                    memory_order_relaxed);
        }
    }
    expected = last;
    atomic_compare_exchange_strong_explicit(&tail, &expected, mine, memory_order_release, memory_order_relaxed);
    return helped;
}

static void *first(void *unused)
{
    assert(!append(2));
    return unused;
}

static void *second(void *unused)
{
    append(3);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
