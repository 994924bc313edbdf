//@ run: verify --memory sc
//@ expect: holds
// _Thread_local and __thread: one object per thread, each with its initial value.
#include <assert.h>
#include <pthread.h>

static _Thread_local int mine = 5;
static __thread int *where;
_Thread_local struct { int n; char c[2]; } rec = { 3, "x" };

static int next(void) { static _Thread_local int n = 100; return n++; }

static void *run(void *arg)
{
    assert(mine == 5 && where == 0 && rec.n == 3 && rec.c[0] == 'x');
    mine += (int)(long)arg;
    where = &mine;
    rec.n = mine;
    assert(next() == 100 && next() == 101);
    assert(*where == 5 + (long)arg && rec.n == mine);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    mine = 1;
    next();
    pthread_create(&a, 0, run, (void *)1);
    pthread_create(&b, 0, run, (void *)2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(mine == 1 && where == 0 && next() == 101);
    return 0;
}
