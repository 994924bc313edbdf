//@ run: verify --memory sc
//@ expect: holds
// Three threads race with a strong compare-and-swap: exactly one wins.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner, winners;

static void *run(void *arg)
{
    int none = 0, me = (int)(long)arg;
    if (atomic_compare_exchange_strong(&owner, &none, me))
        winners++;
    else
        assert(none != 0 && none != me);
    return 0;
}

int main(void)
{
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, run, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(winners == 1 && owner >= 1 && owner <= 3);
    return 0;
}
