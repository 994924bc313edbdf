/* Linux's futex, as every program that uses it spells it. */
#pragma once
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline long futex_wait(atomic_int *word, int value)
{
    return syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static inline long futex_wake(atomic_int *word, int most)
{
    return syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, most, NULL, NULL, 0);
}

static inline long futex_requeue(atomic_int *from, int wake, int move, atomic_int *to, int value)
{
    return syscall(SYS_futex, from, FUTEX_CMP_REQUEUE_PRIVATE, wake, (long)move, to, value);
}
