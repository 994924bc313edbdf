/* POSIX and C11 threads on Lineal's primitives.
   A waiting primitive takes its step only once the condition holds, so a lock is one event.
   Numbers behind the last comma are causes: 0 lock, 1 condition, 2 semaphore, 3 barrier, 4 once,
   5 a wait that may as well time out.
   A mutex holds its owner plus one, or 0; a condition variable a bit per waiting thread; a
   read-write lock the number of readers, or -1 for a writer.
   `destroyed` (of a mutex: a `kind` of 3) is plain: use and destruction must be ordered. `live` is
   only there for who sets an object up anew: it tells one from memory that held something else.
   Memory that is all zero passes for a new object. */

typedef unsigned long pthread_t;
typedef struct { int detached; } pthread_attr_t;
typedef struct { int owner; int depth; int kind; int live; } pthread_mutex_t;
typedef struct { int kind; } pthread_mutexattr_t;
typedef struct { unsigned long waiting; int destroyed; int live; } pthread_cond_t;
typedef struct { int state; int writer; int destroyed; int live; } pthread_rwlock_t;
typedef struct { int needed; long state, left; long serial[4]; } pthread_barrier_t;
typedef struct { int owner; int destroyed; int live; } pthread_spinlock_t;
typedef struct { int value; int destroyed; } sem_t;

enum { __LINEAL_LIVE = 0x4c49 };

extern _Thread_local int __lineal_errno;

/* What became of a thread: 1 detached, 2 joined. Kept only in programs that detach threads;
   joining twice is noticed without. */
static int __lineal_fates[64];
static void __lineal_settle(pthread_t t, int fate) {
    if (__lineal_detaches() && t < 64) {
        int was = __atomic_exchange_n(&__lineal_fates[t], fate, 0);
        if (was == 1 && fate == 1) __lineal_misuse("detaches a thread that was detached already");
        if (was == 1) __lineal_misuse("joins a thread that was detached");
        if (was == 2 && fate == 1) __lineal_misuse("detaches a thread that was joined already");
        if (was == 2) __lineal_misuse("joins a thread that was joined already");
    }
}

int pthread_create(pthread_t *t, const void *attr, void *(*f)(void *), void *arg) {
    pthread_t child = __lineal_create(f, arg);
    *t = child;
    if (__lineal_detaches() && attr && ((const pthread_attr_t *)attr)->detached) __lineal_settle(child, 1);
    return 0;
}

int pthread_join(pthread_t t, void **result) {
    __lineal_settle(t, 2);
    void *r = __lineal_join(t);
    if (result) *result = r;
    return 0;
}

int pthread_detach(pthread_t t) { __lineal_settle(t, 1); return 0; }
pthread_t pthread_self(void) { return __lineal_self(); }
int pthread_equal(pthread_t a, pthread_t b) { return a == b; }
int pthread_yield(void) { return 0; }
int pthread_attr_init(pthread_attr_t *a) { a->detached = 0; return 0; }
int pthread_attr_destroy(pthread_attr_t *a) { return 0; }
int pthread_attr_setdetachstate(pthread_attr_t *a, int state) { a->detached = state; return 0; }

int pthread_once(int *once, void (*f)(void)) {
    int seen = __atomic_load_n(once, 2);
    if (seen == 0 && __atomic_compare_exchange_n(once, &seen, 1, 0, 2, 2)) {
        f();
        __atomic_store_n(once, 2, 3);
        return 0;
    }
    if (seen != 2) __lineal_await_equal(once, 2, 4);
    return 0;
}

int pthread_mutexattr_init(pthread_mutexattr_t *a) { a->kind = 0; return 0; }
int pthread_mutexattr_destroy(pthread_mutexattr_t *a) { return 0; }
int pthread_mutexattr_settype(pthread_mutexattr_t *a, int kind) { a->kind = kind; return 0; }

/* What was there may be no mutex at all, so it is looked at without being used. */
static void __lineal_new_mutex(pthread_mutex_t *m, int kind) {
    if (__lineal_peek(&m->live) == __LINEAL_LIVE && __lineal_peek(&m->owner) != 0)
        __lineal_misuse("initialises a mutex that is locked");
    m->owner = 0;
    m->depth = 0;
    m->kind = kind;
    m->live = __LINEAL_LIVE;
}

int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a) {
    __lineal_new_mutex(m, a ? a->kind : 0);
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *m) {
    if (m->kind == 3) __lineal_misuse("destroys a mutex that was destroyed already");
    if (__atomic_load_n(&m->owner, 0) != 0) __lineal_misuse("destroys a mutex that is locked");
    m->kind = 3;
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *m) {
    int me = (int)__lineal_self() + 1;
    if (m->kind == 3) __lineal_misuse("locks a mutex that was destroyed");
    if (m->kind != 0 && __atomic_load_n(&m->owner, 0) == me) {
        if (m->kind == 2) return 35;
        m->depth++;
        return 0;
    }
    __lineal_await_cas(&m->owner, 0, me, 0);
    return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *m) {
    int me = (int)__lineal_self() + 1;
    int free = 0;
    if (m->kind == 3) __lineal_misuse("locks a mutex that was destroyed");
    if (m->kind == 1 && __atomic_load_n(&m->owner, 0) == me) {
        m->depth++;
        return 0;
    }
    if (__atomic_compare_exchange_n(&m->owner, &free, me, 0, 2, 0)) return 0;
    return 16;
}

int pthread_mutex_unlock(pthread_mutex_t *m) {
    int me = (int)__lineal_self() + 1;
    int owner = __atomic_load_n(&m->owner, 0);
    if (owner != me) {
        if (m->kind == 3) __lineal_misuse("unlocks a mutex that was destroyed");
        if (m->kind != 0) return 1;
        if (owner == 0) __lineal_misuse("unlocks a mutex that is not locked");
        __lineal_misuse("unlocks a mutex that another thread has locked");
    }
    if (m->kind == 1 && m->depth > 0) {
        m->depth--;
        return 0;
    }
    __atomic_store_n(&m->owner, 0, 3);
    return 0;
}

int pthread_cond_init(pthread_cond_t *c, const void *a) {
    if (__lineal_peek(&c->live) == __LINEAL_LIVE && __lineal_peek(&c->waiting) != 0)
        __lineal_misuse("initialises a condition variable that a thread waits for");
    c->waiting = 0;
    c->destroyed = 0;
    c->live = __LINEAL_LIVE;
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *c) {
    if (c->destroyed) __lineal_misuse("destroys a condition variable that was destroyed already");
    if (__atomic_load_n(&c->waiting, 0) != 0) __lineal_misuse("destroys a condition variable that a thread waits for");
    c->destroyed = 1;
    return 0;
}

/* Gives the mutex up and takes it again once woken. */
static void __lineal_sleep(pthread_cond_t *c, pthread_mutex_t *m, int timed) {
    unsigned long bit = 1UL << __lineal_self();
    int depth = 0;
    if (c->destroyed) __lineal_misuse("waits for a condition variable that was destroyed");
    if (__atomic_load_n(&m->owner, 0) != (int)__lineal_self() + 1) __lineal_misuse("waits for a condition without holding the mutex");
    __atomic_fetch_or(&c->waiting, bit, 4);
    if (m->kind == 1) { depth = m->depth; m->depth = 0; }
    __atomic_store_n(&m->owner, 0, 3);
    if (timed) __lineal_await_clear(&c->waiting, bit, 5);
    else __lineal_await_clear(&c->waiting, bit, 1);
    __lineal_await_cas(&m->owner, 0, (int)__lineal_self() + 1, 0);
    if (m->kind == 1) m->depth = depth;
}

int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) { __lineal_sleep(c, m, 0); return 0; }

/* It may time out at any moment: either it does, or it is woken. */
int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const void *t) {
    if (__lineal_choose(0, 1)) {
        if (c->destroyed) __lineal_misuse("waits for a condition variable that was destroyed");
        if (__atomic_load_n(&m->owner, 0) != (int)__lineal_self() + 1) __lineal_misuse("waits for a condition without holding the mutex");
        __atomic_store_n(&m->owner, 0, 3);
        __lineal_await_cas(&m->owner, 0, (int)__lineal_self() + 1, 0);
        return 110;
    }
    __lineal_sleep(c, m, 1);
    return 0;
}

/* Wakes any one of the threads that wait now. */
int pthread_cond_signal(pthread_cond_t *c) {
    if (c->destroyed) __lineal_misuse("signals a condition variable that was destroyed");
    unsigned long waiting = __atomic_load_n(&c->waiting, 2);
    while (waiting != 0) {
        int count = 0, pick;
        unsigned long rest = waiting;
        while (rest) { rest &= rest - 1; count++; }
        pick = count > 1 ? (int)__lineal_choose(0, count - 1) : 0;
        rest = waiting;
        while (pick > 0) { rest &= rest - 1; pick--; }
        rest &= ~(rest - 1);
        if (__atomic_compare_exchange_n(&c->waiting, &waiting, waiting & ~rest, 0, 4, 2)) break;
    }
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *c) {
    if (c->destroyed) __lineal_misuse("signals a condition variable that was destroyed");
    __atomic_exchange_n(&c->waiting, 0, 4);
    return 0;
}

int pthread_rwlock_init(pthread_rwlock_t *l, const void *a) {
    if (__lineal_peek(&l->live) == __LINEAL_LIVE && __lineal_peek(&l->state) != 0)
        __lineal_misuse("initialises a read-write lock that is held");
    l->state = 0;
    l->writer = 0;
    l->destroyed = 0;
    l->live = __LINEAL_LIVE;
    return 0;
}
int pthread_rwlock_destroy(pthread_rwlock_t *l) {
    if (l->destroyed) __lineal_misuse("destroys a read-write lock that was destroyed already");
    if (__atomic_load_n(&l->state, 0) != 0) __lineal_misuse("destroys a read-write lock that is held");
    l->destroyed = 1;
    return 0;
}
static void __lineal_live_rwlock(pthread_rwlock_t *l) {
    if (l->destroyed) __lineal_misuse("locks a read-write lock that was destroyed");
}
int pthread_rwlock_rdlock(pthread_rwlock_t *l) {
    __lineal_live_rwlock(l);
    __lineal_await_add(&l->state, 0, 1, 0);
    return 0;
}
int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) {
    __lineal_live_rwlock(l);
    int n = __atomic_load_n(&l->state, 0);
    while (n >= 0) {
        if (__atomic_compare_exchange_n(&l->state, &n, n + 1, 0, 2, 0)) return 0;
    }
    return 16;
}
int pthread_rwlock_wrlock(pthread_rwlock_t *l) {
    __lineal_live_rwlock(l);
    __lineal_await_cas(&l->state, 0, -1, 0);
    l->writer = (int)__lineal_self() + 1;
    return 0;
}
int pthread_rwlock_trywrlock(pthread_rwlock_t *l) {
    __lineal_live_rwlock(l);
    int free = 0;
    if (!__atomic_compare_exchange_n(&l->state, &free, -1, 0, 2, 0)) return 16;
    l->writer = (int)__lineal_self() + 1;
    return 0;
}
int pthread_rwlock_unlock(pthread_rwlock_t *l) {
    int n = __atomic_load_n(&l->state, 0);
    if (n == 0) __lineal_misuse("unlocks a read-write lock that is not held");
    if (n < 0) {
        if (l->writer != (int)__lineal_self() + 1) __lineal_misuse("unlocks a read-write lock that another thread holds for writing");
        l->writer = 0;
        __atomic_store_n(&l->state, 0, 3);
        return 0;
    }
    __atomic_fetch_sub(&l->state, 1, 3);
    return 0;
}

/* The state: in the upper half for how many it is, in the lower how many have arrived, ever. An arrival
   is one step, and so is going on, for all but the last of a round. The last one says which of them is
   the serial thread, in `serial`, which rounds take turns to use: the number of its arrival. That
   goes by the numbers behind it, so that a search which looks at all orders of arrival need not
   look at all choices, and the other way round.
   Whoever leaves looks at the barrier once more, the last to arrive as well: its memory is in use
   until then. Who destroys it waits for that, so in programs that do, those who leave are counted. */
int pthread_barrier_init(pthread_barrier_t *b, const void *a, unsigned n) {
    if (n == 0) return 22;
    b->needed = (int)n;
    b->state = (long)n << 32;
    if (__lineal_destroys()) b->left = (long)n << 32;
    if (__lineal_ranks()) b->serial[0] = b->serial[1] = b->serial[2] = b->serial[3] = 0;
    return 0;
}
/* A barrier for nobody is one that was destroyed, or never set up. */
static void __lineal_live_barrier(pthread_barrier_t *b) {
    if (b->needed == 0) __lineal_misuse("uses a barrier that was destroyed or never initialised");
}
int pthread_barrier_destroy(pthread_barrier_t *b) {
    __lineal_live_barrier(b);
    long needed = b->needed, arrived = __atomic_load_n(&b->state, 0) & 0xffffffffL;
    if (arrived % needed != 0) __lineal_misuse("destroys a barrier that a thread waits at");
    __lineal_await_least(&b->left, needed << 32 | arrived, 3);
    b->needed = 0;
    return 0;
}
static int __lineal_rank(pthread_barrier_t *b, long number, long needed) {
    long first = (number - 1) / needed * needed + 1, last = first + needed - 1, serial;
    long *place = &b->serial[(number - 1) / needed % 4];
    if (number == last) {
        serial = last - __lineal_choose(0, needed - 1);
        if (__atomic_exchange_n(place, serial, 4) >= first) serial = last + 1;
    } else serial = __lineal_await_least(place, first, 3);
    if (serial > last) __lineal_refuse("a barrier that is four rounds ahead of a thread is not modelled");
    return serial == number ? -1 : 0;
}
int pthread_barrier_wait(pthread_barrier_t *b) {
    __lineal_live_barrier(b);
    long needed = b->needed, number = (__lineal_arrive(&b->state) & 0xffffffffL) + 1;
    int result = __lineal_ranks() ? __lineal_rank(b, number, needed) : 0;
    __lineal_await_least(&b->state, needed << 32 | (number + needed - 1) / needed * needed, 3);
    if (__lineal_destroys()) __lineal_leave(&b->left);
    return result;
}

int pthread_spin_init(pthread_spinlock_t *l, int shared) {
    if (__lineal_peek(&l->live) == __LINEAL_LIVE && __lineal_peek(&l->owner) != 0)
        __lineal_misuse("initialises a spin lock that is held");
    l->owner = 0;
    l->destroyed = 0;
    l->live = __LINEAL_LIVE;
    return 0;
}
int pthread_spin_destroy(pthread_spinlock_t *l) {
    if (l->destroyed) __lineal_misuse("destroys a spin lock that was destroyed already");
    if (__atomic_load_n(&l->owner, 0) != 0) __lineal_misuse("destroys a spin lock that is held");
    l->destroyed = 1;
    return 0;
}
int pthread_spin_lock(pthread_spinlock_t *l) {
    if (l->destroyed) __lineal_misuse("locks a spin lock that was destroyed");
    __lineal_await_cas(&l->owner, 0, (int)__lineal_self() + 1, 0);
    return 0;
}
int pthread_spin_trylock(pthread_spinlock_t *l) {
    int free = 0;
    if (l->destroyed) __lineal_misuse("locks a spin lock that was destroyed");
    return __atomic_compare_exchange_n(&l->owner, &free, (int)__lineal_self() + 1, 0, 2, 0) ? 0 : 16;
}
int pthread_spin_unlock(pthread_spinlock_t *l) {
    if (__atomic_load_n(&l->owner, 0) != (int)__lineal_self() + 1) __lineal_misuse("unlocks a spin lock it does not hold");
    __atomic_store_n(&l->owner, 0, 3);
    return 0;
}

int sem_init(sem_t *s, int shared, unsigned value) { s->value = (int)value; s->destroyed = 0; return 0; }
static void __lineal_live_sem(sem_t *s) {
    if (s->destroyed) __lineal_misuse("uses a semaphore that was destroyed");
}
int sem_destroy(sem_t *s) { __lineal_live_sem(s); s->destroyed = 1; return 0; }
int sem_wait(sem_t *s) { __lineal_live_sem(s); __lineal_await_add(&s->value, 1, -1, 2); return 0; }
int sem_trywait(sem_t *s) {
    __lineal_live_sem(s);
    int n = __atomic_load_n(&s->value, 0);
    while (n > 0) {
        if (__atomic_compare_exchange_n(&s->value, &n, n - 1, 0, 2, 0)) return 0;
    }
    __lineal_errno = 11;
    return -1;
}
int sem_post(sem_t *s) { __lineal_live_sem(s); __atomic_fetch_add(&s->value, 1, 3); return 0; }
int sem_getvalue(sem_t *s, int *out) { __lineal_live_sem(s); *out = __atomic_load_n(&s->value, 0); return 0; }

/* Keys: one slot a thread and key. Destructors run when a thread other than the first ends. */
static int __lineal_keys;
static void (*__lineal_drops[64])(void *);
static _Thread_local void *__lineal_slots[64];
void __lineal_end_thread(int early) {
    if (__lineal_self() == 0 && !early) return;
    for (int round = 0; round < 4; round++) {
        int n = __atomic_load_n(&__lineal_keys, 0), again = 0;
        for (int i = 0; i < n && i < 64; i++) {
            void *value = __lineal_slots[i];
            void (*drop)(void *) = __atomic_load_n(&__lineal_drops[i], 2);
            if (value && drop) {
                __lineal_slots[i] = (void *)0;
                drop(value);
                again = 1;
            }
        }
        if (!again) return;
    }
}
int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
    int n = __atomic_fetch_add(&__lineal_keys, 1, 4);
    if (n >= 64) return 11;
    __atomic_store_n(&__lineal_drops[n], destructor, 3);
    *key = (unsigned)n;
    return 0;
}
int pthread_key_delete(unsigned key) {
    if (key < 64) __atomic_store_n(&__lineal_drops[key], (void *)0, 3);
    return 0;
}
int pthread_setspecific(unsigned key, const void *value) {
    if (key >= 64) return 22;
    __lineal_slots[key] = (void *)value;
    return 0;
}
void *pthread_getspecific(unsigned key) { return key < 64 ? __lineal_slots[key] : (void *)0; }

/* <threads.h> */
int thrd_create(pthread_t *t, int (*f)(void *), void *arg) { *t = __lineal_create(f, arg); return 0; }
int thrd_join(pthread_t t, int *result) {
    __lineal_settle(t, 2);
    void *r = __lineal_join(t);
    if (result) *result = (int)(long)r;
    return 0;
}
int thrd_detach(pthread_t t) { __lineal_settle(t, 1); return 0; }
pthread_t thrd_current(void) { return __lineal_self(); }
int thrd_equal(pthread_t a, pthread_t b) { return a == b; }
int thrd_sleep(const void *t, void *left) { return 0; }
void call_once(int *flag, void (*f)(void)) { pthread_once(flag, f); }
int mtx_init(pthread_mutex_t *m, int kind) { __lineal_new_mutex(m, kind & 1); return 0; }
void mtx_destroy(pthread_mutex_t *m) { pthread_mutex_destroy(m); }
int mtx_lock(pthread_mutex_t *m) { return pthread_mutex_lock(m) ? 2 : 0; }
int mtx_trylock(pthread_mutex_t *m) { return pthread_mutex_trylock(m) ? 1 : 0; }
int mtx_timedlock(pthread_mutex_t *m, const void *t) {
    if (m->kind == 3) __lineal_misuse("locks a mutex that was destroyed");
    if (__lineal_choose(0, 1)) return 4;
    __lineal_await_cas(&m->owner, 0, (int)__lineal_self() + 1, 5);
    return 0;
}
int mtx_unlock(pthread_mutex_t *m) { return pthread_mutex_unlock(m) ? 2 : 0; }
int cnd_init(pthread_cond_t *c) { return pthread_cond_init(c, 0); }
void cnd_destroy(pthread_cond_t *c) { pthread_cond_destroy(c); }
int cnd_wait(pthread_cond_t *c, pthread_mutex_t *m) { return pthread_cond_wait(c, m); }
int cnd_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const void *t) { return pthread_cond_timedwait(c, m, t) ? 4 : 0; }
int cnd_signal(pthread_cond_t *c) { return pthread_cond_signal(c); }
int cnd_broadcast(pthread_cond_t *c) { return pthread_cond_broadcast(c); }
int tss_create(unsigned *key, void (*destructor)(void *)) { return pthread_key_create(key, destructor) ? 2 : 0; }
void tss_delete(unsigned key) { pthread_key_delete(key); }
int tss_set(unsigned key, void *value) { return pthread_setspecific(key, value) ? 2 : 0; }
void *tss_get(unsigned key) { return pthread_getspecific(key); }
/* Handlers of a thread that ends early, last first. Nobody is cancelled. */
struct __lineal_cleanup { void (*run)(void *); void *argument; struct __lineal_cleanup *next; };
static _Thread_local struct __lineal_cleanup *__lineal_handlers;
void __cleanup_push(struct __lineal_cleanup *c) {
    c->next = __lineal_handlers;
    __lineal_handlers = c;
}
void __cleanup_pop(int run) {
    struct __lineal_cleanup *c = __lineal_handlers;
    __lineal_handlers = c->next;
    if (run) c->run(c->argument);
}
void __cleanup_all(void) {
    while (__lineal_handlers) __cleanup_pop(1);
}
int pthread_setcancelstate(int state, int *old) { if (old) *old = 0; return 0; }
int pthread_setcanceltype(int type, int *old) { if (old) *old = 0; return 0; }
void pthread_testcancel(void) {}
int pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void)) { return 0; }

int pthread_attr_getdetachstate(const pthread_attr_t *a, int *state) { *state = a->detached; return 0; }
int pthread_attr_setstacksize(pthread_attr_t *a, unsigned long size) { return size < 16384 ? 22 : 0; }
int pthread_attr_setguardsize(pthread_attr_t *a, unsigned long size) { return 0; }
int pthread_attr_setscope(pthread_attr_t *a, int scope) { return 0; }
int pthread_attr_setinheritsched(pthread_attr_t *a, int inherit) { return 0; }
int pthread_attr_setschedpolicy(pthread_attr_t *a, int policy) { return 0; }
int pthread_attr_setschedparam(pthread_attr_t *a, const void *param) { return 0; }
int pthread_attr_setaffinity_np(pthread_attr_t *a, unsigned long size, const void *set) { return 0; }
int pthread_setaffinity_np(pthread_t t, unsigned long size, const void *set) { return 0; }
int pthread_setschedparam(pthread_t t, int policy, const void *param) { return 0; }
int sched_setaffinity(int pid, unsigned long size, const void *set) { return 0; }
int pthread_setconcurrency(int level) { return 0; }
int pthread_mutexattr_gettype(const pthread_mutexattr_t *a, int *kind) { *kind = a->kind; return 0; }
int pthread_mutexattr_setpshared(pthread_mutexattr_t *a, int shared) { return 0; }
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *a, int protocol) { return 0; }
int pthread_condattr_init(void *a) { return 0; }
int pthread_condattr_destroy(void *a) { return 0; }
int pthread_condattr_setclock(void *a, int clock) { return 0; }
int pthread_condattr_setpshared(void *a, int shared) { return 0; }
int pthread_rwlockattr_init(void *a) { return 0; }
int pthread_rwlockattr_destroy(void *a) { return 0; }
int pthread_rwlockattr_setpshared(void *a, int shared) { return 0; }
int pthread_rwlockattr_setkind_np(void *a, int kind) { return 0; }
int pthread_barrierattr_init(void *a) { return 0; }
int pthread_barrierattr_destroy(void *a) { return 0; }
int pthread_barrierattr_setpshared(void *a, int shared) { return 0; }

/* With a time limit, either it runs out or not; who waits then is not stuck. */
int pthread_mutex_timedlock(pthread_mutex_t *m, const void *t) {
    int me = (int)__lineal_self() + 1;
    if (m->kind == 3) __lineal_misuse("locks a mutex that was destroyed");
    if (m->kind != 0 && __atomic_load_n(&m->owner, 0) == me) {
        if (m->kind == 2) return 35;
        m->depth++;
        return 0;
    }
    if (__lineal_choose(0, 1)) return 110;
    __lineal_await_cas(&m->owner, 0, me, 5);
    return 0;
}
int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const void *t) {
    __lineal_live_rwlock(l);
    if (__lineal_choose(0, 1)) return 110;
    __lineal_await_add(&l->state, 0, 1, 5);
    return 0;
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const void *t) {
    __lineal_live_rwlock(l);
    if (__lineal_choose(0, 1)) return 110;
    __lineal_await_cas(&l->state, 0, -1, 5);
    l->writer = (int)__lineal_self() + 1;
    return 0;
}
int sem_timedwait(sem_t *s, const void *t) {
    __lineal_live_sem(s);
    if (__lineal_choose(0, 1)) { __lineal_errno = 110; return -1; }
    __lineal_await_add(&s->value, 1, -1, 5);
    return 0;
}
