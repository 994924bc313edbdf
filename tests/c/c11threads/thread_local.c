//@ run: verify --memory sc
//@ expect: holds
// thread_local from <threads.h>, with a static initialiser.
#include <assert.h>
#include <threads.h>

static thread_local int level = 1;

static int run(void *arg)
{
    (void)arg;
    level++;
    return level;
}

int main(void)
{
    thrd_t t;
    int r;
    level = 50;
    thrd_create(&t, run, 0);
    thrd_join(t, &r);
    assert(r == 2 && level == 50);
    return 0;
}
