//@ run: verify
//@ expect: violated witness.kind=assertion
//@ run: verify --memory sc --jobs 2
//@ expect: violated witness.kind=assertion
// Loops that end after hundreds of rounds, in more ways than anybody counts; what is wrong shows in their first rounds,
// and only if both threads are no further by then.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, first, second;

static void *adder(void *mine)
{
    atomic_int *done = mine;
    for (;;) {
        int seen = atomic_load(&x);
        atomic_store(&x, seen + 1);
        atomic_fetch_add(done, 1);
        if (seen > 200)
            break;
    }
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, adder, &first);
    pthread_create(&threads[1], 0, adder, &second);
    // Both have added, and one of the additions is lost.
    int a = atomic_load(&first), b = atomic_load(&second), sum = atomic_load(&x);
    assert(!(a == 1 && b == 1 && sum == 1));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
