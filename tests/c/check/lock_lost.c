//@ run: check --calls 3
//@ expect: holds
//@ run: check --calls 3 -DLOST
//@ expect: violated  witness.kind=unsafe
// A lock of which waiters sleep in the system: who waits for a lock that nobody gives back does as
// it should; who still sleeps when it is free was forgotten.
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
#pragma lineal object lock
#pragma lineal op lock = lock()
#pragma lineal op unlock = unlock()
static atomic_int word; /* 1: held, 2: held, and somebody may sleep */

void lock(void)
{
    int was = 0;
    if (atomic_compare_exchange_strong_explicit(&word, &was, 1, memory_order_acquire, memory_order_relaxed))
        return;
    while (atomic_exchange_explicit(&word, 2, memory_order_acquire) != 0)
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
}

void unlock(void)
{
    int was = atomic_exchange_explicit(&word, 0, memory_order_release);
#ifdef LOST
    if (was == 3)
#else
    if (was == 2)
#endif
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}
