//@ run: verify --memory sc
//@ expect: holds diagnostics.len=1 diagnostics[0].severity=warning diagnostics[0].code=L0115 diagnostics[0].at.line=27
//@ run: verify --memory sc -DPROTOTYPE
//@ expect: violated witness.kind=invalid-pointer
// A function defined without saying what it takes is given what it does not expect, and ignores it.
#include <assert.h>
#include <pthread.h>

static int n;

#ifdef PROTOTYPE
static void *worker(void) { n++; return 0; }
#define START (void *(*)(void *))worker
#else
static void *worker() { int fresh; n++; fresh = n; return &n - 1 + fresh; }
#define START worker
#endif
static void once() { n++; }
static int twice(int a) { return 2 * a; }
static int (*any)() = twice;

int main()
{
    pthread_t t;
    pthread_once_t o = PTHREAD_ONCE_INIT;
    void *r;
    pthread_create(&t, 0, START, &n);
    pthread_join(t, &r);
    assert(r == &n && n == 1);
    pthread_once(&o, once);
    assert(n == 2 && any(4) == 8);
    return 0;
}
