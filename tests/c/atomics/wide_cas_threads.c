//@ run: verify --memory sc
//@ expect: holds
// Two threads advance a counted pair by sixteen-byte compare-and-swap.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct pair { int64_t value, version; };
static _Atomic(struct pair) shared;

static void *run(void *arg)
{
    struct pair old = atomic_load(&shared), new;
    do {
        new.value = old.value + (int64_t)arg;
        new.version = old.version + 1;
    } while (!atomic_compare_exchange_strong(&shared, &old, new));
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, (void *)10);
    pthread_create(&b, 0, run, (void *)20);
    pthread_join(a, 0);
    pthread_join(b, 0);
    struct pair p = atomic_load(&shared);
    assert(p.value == 30 && p.version == 2);
    return 0;
}
