//@ run: verify --memory sc
//@ expect: holds
// thrd_create, thrd_join, thrd_exit, thrd_current, thrd_equal, thrd_yield.
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int sum;

static int run(void *arg)
{
    int n = *(int *)arg;
    sum += n;
    thrd_yield();
    if (n == 3)
        thrd_exit(33);
    return n * 2;
}

int main(void)
{
    thrd_t a, b;
    int x = 3, y = 4, rx, ry;
    assert(thrd_create(&a, run, &x) == thrd_success);
    assert(thrd_create(&b, run, &y) == thrd_success);
    assert(!thrd_equal(a, b) && thrd_equal(thrd_current(), thrd_current()));
    assert(thrd_join(a, &rx) == thrd_success && thrd_join(b, &ry) == thrd_success);
    assert(rx == 33 && ry == 8 && sum == 7);
    return 0;
}
