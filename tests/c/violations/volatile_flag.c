//@ run: verify
//@ expect: violated witness.kind=race witness.hints[0]="volatile says nothing about threads in C, so these accesses race; --volatile relaxed (acq-rel, seq-cst) takes all accesses of volatile objects to be atomic, as older code means them"
//@ run: verify --volatile relaxed
//@ expect: violated witness.kind=race
//@ run: verify --volatile acq-rel
//@ expect: holds
//@ run: verify --volatile seq-cst
//@ expect: holds
//@ run: verify --volatile acq-rel -D BUFFERED
//@ expect: violated witness.kind=assertion
//@ run: verify --volatile seq-cst -D BUFFERED
//@ expect: holds
//@ run: verify --volatile relaxed -D TWICE
//@ expect: violated witness.kind=assertion
// Older code takes volatile for atomic; what it needs of it, the flag says. A ++ stays two accesses.
#include <assert.h>
#include <pthread.h>

static struct { int pad; volatile int flag; } s;
static volatile int x, y;
static int data, r;

static void *thread(void *unused)
{
    (void)unused;
#ifdef BUFFERED
    x = 1;
    r = y;
#elif defined TWICE
    x++;
#else
    data = 1;
    s.flag = 1;
#endif
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
#ifdef BUFFERED
    y = 1;
    int q = x;
    pthread_join(t, 0);
    assert(q || r);
#elif defined TWICE
    x++;
    pthread_join(t, 0);
    assert(x == 2);
#else
    volatile int *flag = &s.flag;
    if (*flag) assert(data == 1);
    pthread_join(t, 0);
#endif
    return 0;
}
