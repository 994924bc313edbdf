//@ run: verify --memory sc
//@ expect: holds
// A stack of indices with a counter beside the top, moved together by a two-word swap.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct top { int64_t index, count; };
static _Atomic(struct top) top = (struct top){ -1, 0 };
static int64_t next[3];

static void push(int64_t i)
{
    struct top old = atomic_load(&top), new;
    do {
        next[i] = old.index;
        new = (struct top){ i, old.count + 1 };
    } while (!atomic_compare_exchange_strong(&top, &old, new));
}

static int64_t pop(void)
{
    struct top old = atomic_load(&top), new;
    do {
        if (old.index < 0)
            return -1;
        new = (struct top){ next[old.index], old.count + 1 };
    } while (!atomic_compare_exchange_strong(&top, &old, new));
    return old.index;
}

static void *one(void *x) { (void)x; push(1); return (void *)pop(); }
static void *two(void *x) { (void)x; push(2); return 0; }

int main(void)
{
    pthread_t a, b;
    void *got;
    push(0);
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, &got);
    pthread_join(b, 0);
    int64_t x = (int64_t)got, y = pop(), z = pop();
    assert(pop() == -1);
    assert(x + y + z == 3 && x != y && y != z && x != z && z == 0);
    return 0;
}
