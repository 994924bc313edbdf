/* Linux's futex: who waits for a word is kept by the system, one bit a thread, beside the address.
   A call that lets threads sleep or wakes them is one step on those bits, and the steps on one word
   are totally ordered. They synchronise, as the kernel's do: whoever looks at the word after a wake sees what was
   stored before it.

   Going to sleep takes the word, compares it and sets the bit while the sign is set, so that no wake
   comes between. If the word differs, the call might as well have found that at once, which is the
   first branch; the second is then not of interest.

   A wait may end without a reason, once a thread: that is the first branch too, and it leaves no trace, so a
   loop around it that looks again counts as waiting. Nobody depends on it: in the second branch the
   thread sleeps until it is woken.

   Each call is a full barrier, as in the kernel: before the word is looked at, and before the waiters are.

   Which of the waiters is woken, nobody says. */

typedef unsigned long size_t;
struct __lineal_queue { long bits; };

extern _Thread_local int __lineal_errno;
int getpid(void);
int gettid(void);

/* Where a thread that was moved waits now. Only in programs that move any. */
static struct __lineal_queue *__lineal_moved[64];

/* This thread woke up without a reason. */
static _Thread_local int __lineal_woken;

static void __lineal_check_word(void *word) {
    if ((unsigned long)word & 3) __lineal_misuse("calls futex with an address that is not aligned");
}

static long __lineal_error(int number, int raw) {
    if (raw) return -number;
    __lineal_errno = number;
    return -1;
}

static long __lineal_futex_wait(int *word, int value, int timed, int raw) {
    __lineal_check_word(word);
    __atomic_thread_fence(5);
    int end = (int)__lineal_choose(0, timed ? 2 : 1);
    if (end == 1) {
        if (__atomic_load_n(word, 0) != value) return __lineal_error(11, raw);
        if (!__lineal_spurious() || __lineal_woken) __lineal_skip();
        __lineal_woken = 1;
        return 0;
    }
    if (end == 2) {
        if (__atomic_load_n(word, 0) != value) __lineal_skip();
        return __lineal_error(110, raw);
    }
    struct __lineal_queue *queue = __lineal_kernel(word);
    /* The last bit is the sign. */
    if (__lineal_self() > 62) __lineal_refuse("a futex with more than 63 threads is not modelled");
    long mine = 1L << __lineal_self();
    long others = __lineal_await_or(&queue->bits, (long)(1UL << 63), 0);
    if (__atomic_load_n(word, 0) != value) __lineal_skip();
    __atomic_store_n(&queue->bits, others | mine, 3);
    for (;;) {
        if (timed) __lineal_await_clear(&queue->bits, mine, 5);
        else __lineal_await_clear(&queue->bits, mine, 6);
        if (!__lineal_requeues()) return 0;
        queue = __atomic_exchange_n(&__lineal_moved[__lineal_self()], (void *)0, 0);
        if (!queue) return 0;
    }
}

/* One of the bits. */
static long __lineal_pick(long bits) {
    int count = 0, pick;
    long rest = bits;
    while (rest) { rest &= rest - 1; count++; }
    pick = count > 1 ? (int)__lineal_choose(0, count - 1) : 0;
    while (pick > 0) { bits &= bits - 1; pick--; }
    return bits & -bits;
}

static int __lineal_count(long bits) {
    int count = 0;
    while (bits) { bits &= bits - 1; count++; }
    return count;
}

static long __lineal_futex_wake(int *word, int most) {
    __lineal_check_word(word);
    __atomic_thread_fence(5);
    struct __lineal_queue *queue = __lineal_kernel(word);
    if (most < 1) most = 1;
    if (most >= 64) return __lineal_count(__lineal_await_and(&queue->bits, 0, 0));
    long bits = __lineal_await_or(&queue->bits, 0, 0);
    while (bits) {
        long left = bits;
        if (bits < 0) {
            bits = __lineal_await_or(&queue->bits, 0, 0);
            continue;
        }
        for (int i = 0; i < most && left; i++) left &= ~__lineal_pick(left);
        if (__atomic_compare_exchange_n(&queue->bits, &bits, left, 0, 4, 2)) return __lineal_count(bits & ~left);
    }
    return 0;
}

static long __lineal_futex_requeue(int *word, int wake, int move, int *target, int compare, int value, int raw) {
    __lineal_check_word(word);
    __lineal_check_word(target);
    __atomic_thread_fence(5);
    struct __lineal_queue *from = __lineal_kernel(word), *to = __lineal_kernel(target);
    long there = 0;
    if (from == to) __lineal_refuse("a futex that moves its waiters to itself is not modelled");
    /* In the order of the addresses, so that two such calls do not wait for each other. */
    if (to < from) there = __lineal_await_or(&to->bits, (long)(1UL << 63), 0);
    long here = __lineal_await_or(&from->bits, (long)(1UL << 63), 0);
    if (from < to) there = __lineal_await_or(&to->bits, (long)(1UL << 63), 0);
    long left = here;
    int done = 0;
    if (compare && __atomic_load_n(word, 0) != value) {
        __atomic_store_n(&to->bits, there, 3);
        __atomic_store_n(&from->bits, here, 3);
        return __lineal_error(11, raw);
    }
    for (int i = 0; i < wake && left; i++, done++) left &= ~__lineal_pick(left);
    for (int i = 0; i < move && left; i++, done++) {
        long one = __lineal_pick(left);
        int thread = 0;
        while (!(one >> thread & 1)) thread++;
        left &= ~one;
        there |= one;
        __atomic_store_n(&__lineal_moved[thread], to, 0);
    }
    __atomic_store_n(&to->bits, there, 3);
    __atomic_store_n(&from->bits, left, 3);
    return done;
}

/* `raw`: the error comes back as a negative number, as the system gives it. */
long __lineal_futex(int *word, int op, int value, unsigned long timeout, int *target, int third, int raw) {
    switch (op & ~(128 | 256)) {
    case 0: return __lineal_futex_wait(word, value, timeout != 0, raw);
    case 1: return __lineal_futex_wake(word, value);
    case 3: return __lineal_futex_requeue(word, value, (int)timeout, target, 0, 0, raw);
    case 4: return __lineal_futex_requeue(word, value, (int)timeout, target, 1, third, raw);
    case 9:
        if (third != -1) __lineal_refuse("a futex that waits for some bits only is not modelled");
        return __lineal_futex_wait(word, value, timeout != 0, raw);
    case 10:
        if (third != -1) __lineal_refuse("a futex that wakes for some bits only is not modelled");
        return __lineal_futex_wake(word, value);
    }
    __lineal_refuse("this operation of futex is not modelled");
    return -1;
}

/* A system call by its number. */
long __lineal_system(long number, long a, long b, long c, long d, long e, long f, int raw) {
    switch (number) {
    case 24: return 0;
    case 39: return getpid();
    case 186: return gettid();
    case 202: return __lineal_futex((int *)a, (int)b, (int)c, (unsigned long)d, (int *)e, (int)f, raw);
    }
    __lineal_refuse("this system call is not modelled");
    return -1;
}
