//@ run: check --calls 4
//@ expect: holds
//@ run: check --calls 4 -DCOUNT=0
//@ expect: violated  witness.kind=result  witness.calls=1
//@ run: check --calls 4 -DPOST=memory_order_relaxed
//@ expect: violated  witness.kind=sync
//@ run: check --calls 4 -DTORN
//@ expect: violated  witness.kind=result
// Permits in one number. Every post is visible to every later wait, however many came between.
#include <stdatomic.h>
#ifndef COUNT
#define COUNT 1
#endif
#ifndef POST
#define POST memory_order_release
#endif
#define STRING(x) #x
#define LINE(x) _Pragma(STRING(x))
#define OBJECT(n) LINE(lineal object semaphore count=n)
OBJECT(COUNT)
#pragma lineal op wait = sem_down()
#pragma lineal op try_wait = sem_try()
#pragma lineal op post = sem_up()
#pragma lineal op value = atomic_value() -> result
static atomic_int permits = 1;

int sem_try(void)
{
    int n = atomic_load_explicit(&permits, memory_order_relaxed);
#ifdef TORN
    if (n == 0) return 0;
    atomic_fetch_sub_explicit(&permits, 1, memory_order_acquire);
    return 1;
#else
    while (n > 0)
        if (atomic_compare_exchange_strong_explicit(
                &permits, &n, n - 1, memory_order_acquire, memory_order_relaxed))
            return 1;
    return 0;
#endif
}

void sem_down(void) { while (!sem_try()) { } }
void sem_up(void) { atomic_fetch_add_explicit(&permits, 1, POST); }
int atomic_value(void) { return atomic_load_explicit(&permits, memory_order_relaxed); }
