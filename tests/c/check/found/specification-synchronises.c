//@ run: check --calls 2 -DHOW=1
//@ expect: error code=L0126 message="synchronises by a mutex, an atomic access or a fence outside a partial lock"
//@ run: check --calls 2 -DHOW=2
//@ expect: error code=L0126 message="level=(write->read)"
//@ run: check --calls 2 -DHOW=3
//@ expect: error code=L0126 message="lineal_plock"
//@ run: check --calls 2 -DHOW=4
//@ expect: violated witness.kind=sync
//@ run: check --calls 2 -DHOW=5
//@ expect: holds
//@ from: a relaxed counter held against a specification with a mutex
#include <pthread.h>
#include <stdatomic.h>
#pragma lineal object spec
#pragma lineal spec_init reset()
#pragma lineal op up = up() -> value
#pragma lineal spec up = s_up()
static atomic_int n;
int up(void) { return atomic_fetch_add_explicit(&n, 1, memory_order_relaxed); }

static pthread_mutex_t m;
static atomic_int a;
static int s, lock;
void reset(void) { pthread_mutex_init(&m, 0); atomic_store(&a, 0); s = 0; }
int s_up(void)
{
#if HOW == 1
    pthread_mutex_lock(&m);
    int r = s++;
    pthread_mutex_unlock(&m);
#elif HOW == 2
    int r = a++;
#elif HOW == 3
    atomic_thread_fence(memory_order_seq_cst);
    int r = s++;
#elif HOW == 4
    lineal_plock(&lock);
    int r = a++;
    lineal_punlock(&lock);
#else
    int r = s++;
#endif
    return r;
}
