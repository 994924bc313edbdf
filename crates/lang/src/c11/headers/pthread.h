#pragma once
#include <features.h>
#include <stddef.h>
#include <time.h>
#include <errno.h>
typedef unsigned long pthread_t;
typedef struct { int detached; } pthread_attr_t;
typedef struct { int owner; int depth; int kind; int live; } pthread_mutex_t;
typedef struct { int kind; } pthread_mutexattr_t;
typedef struct { unsigned long waiting; int destroyed; int live; } pthread_cond_t;
typedef struct { int unused; } pthread_condattr_t;
typedef struct { int state; int writer; int destroyed; int live; } pthread_rwlock_t;
typedef struct { int unused; } pthread_rwlockattr_t;
typedef struct { int needed; long state, left; long serial[4]; } pthread_barrier_t;
typedef struct { int unused; } pthread_barrierattr_t;
typedef struct { int owner; int destroyed; int live; } pthread_spinlock_t;
typedef int pthread_once_t;
typedef unsigned pthread_key_t;
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_MUTEX_DEFAULT 0
#define PTHREAD_MUTEX_INITIALIZER { 0, 0, 0, 0x4c49 }
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP { .kind = 1, .live = 0x4c49 }
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP { .kind = 2, .live = 0x4c49 }
#define PTHREAD_COND_INITIALIZER { 0, 0, 0x4c49 }
#define PTHREAD_RWLOCK_INITIALIZER { 0, 0, 0, 0x4c49 }
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
int pthread_create(pthread_t *t, const pthread_attr_t *attr, void *(*f)(void *), void *arg);
int pthread_join(pthread_t t, void **result);
int pthread_detach(pthread_t t);
pthread_t pthread_self(void);
int pthread_equal(pthread_t a, pthread_t b);
_Noreturn void pthread_exit(void *result);
int pthread_yield(void);
int pthread_attr_init(pthread_attr_t *a);
int pthread_attr_destroy(pthread_attr_t *a);
int pthread_attr_setdetachstate(pthread_attr_t *a, int state);
int pthread_once(pthread_once_t *once, void (*f)(void));
int pthread_mutexattr_init(pthread_mutexattr_t *a);
int pthread_mutexattr_destroy(pthread_mutexattr_t *a);
int pthread_mutexattr_settype(pthread_mutexattr_t *a, int kind);
int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a);
int pthread_mutex_destroy(pthread_mutex_t *m);
int pthread_mutex_lock(pthread_mutex_t *m);
int pthread_mutex_trylock(pthread_mutex_t *m);
int pthread_mutex_unlock(pthread_mutex_t *m);
int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a);
int pthread_cond_destroy(pthread_cond_t *c);
int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m);
int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t);
int pthread_cond_signal(pthread_cond_t *c);
int pthread_cond_broadcast(pthread_cond_t *c);
int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *a);
int pthread_rwlock_destroy(pthread_rwlock_t *l);
int pthread_rwlock_rdlock(pthread_rwlock_t *l);
int pthread_rwlock_tryrdlock(pthread_rwlock_t *l);
int pthread_rwlock_wrlock(pthread_rwlock_t *l);
int pthread_rwlock_trywrlock(pthread_rwlock_t *l);
int pthread_rwlock_unlock(pthread_rwlock_t *l);
int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *a, unsigned n);
int pthread_barrier_destroy(pthread_barrier_t *b);
int pthread_barrier_wait(pthread_barrier_t *b);
int pthread_spin_init(pthread_spinlock_t *l, int shared);
int pthread_spin_destroy(pthread_spinlock_t *l);
int pthread_spin_lock(pthread_spinlock_t *l);
int pthread_spin_trylock(pthread_spinlock_t *l);
int pthread_spin_unlock(pthread_spinlock_t *l);
int pthread_key_create(pthread_key_t *key, void (*destructor)(void *));
int pthread_key_delete(pthread_key_t key);
int pthread_setspecific(pthread_key_t key, const void *value);
void *pthread_getspecific(pthread_key_t key);
#include <sched.h>
#define PTHREAD_CANCEL_ENABLE 0
#define PTHREAD_CANCEL_DISABLE 1
#define PTHREAD_CANCEL_DEFERRED 0
#define PTHREAD_CANCEL_ASYNCHRONOUS 1
#define PTHREAD_CANCELED ((void *)-1)
#define PTHREAD_SCOPE_SYSTEM 0
#define PTHREAD_SCOPE_PROCESS 1
#define PTHREAD_INHERIT_SCHED 0
#define PTHREAD_EXPLICIT_SCHED 1
#define PTHREAD_PRIO_NONE 0
#define PTHREAD_PRIO_INHERIT 1
#define PTHREAD_PRIO_PROTECT 2
#define PTHREAD_MUTEX_STALLED 0
#define PTHREAD_MUTEX_ROBUST 1
#define PTHREAD_MUTEX_ADAPTIVE_NP 0
#define PTHREAD_MUTEX_RECURSIVE_NP PTHREAD_MUTEX_RECURSIVE
#define PTHREAD_MUTEX_ERRORCHECK_NP PTHREAD_MUTEX_ERRORCHECK
#define PTHREAD_RWLOCK_PREFER_READER_NP 0
#define PTHREAD_RWLOCK_PREFER_WRITER_NP 1
#define PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP 2
struct __lineal_cleanup { void (*run)(void *); void *argument; struct __lineal_cleanup *next; };
void __cleanup_push(struct __lineal_cleanup *c);
void __cleanup_pop(int run);
#define pthread_cleanup_push(f, a) do { struct __lineal_cleanup __lineal_c = { (f), (a), 0 }; __cleanup_push(&__lineal_c);
#define pthread_cleanup_pop(run) __cleanup_pop(run); } while (0)
int pthread_cancel(pthread_t t);
int pthread_setcancelstate(int state, int *old);
int pthread_setcanceltype(int type, int *old);
void pthread_testcancel(void);
int pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void));
int pthread_attr_getdetachstate(const pthread_attr_t *a, int *state);
int pthread_attr_setstacksize(pthread_attr_t *a, size_t size);
int pthread_attr_getstacksize(const pthread_attr_t *a, size_t *size);
int pthread_attr_setguardsize(pthread_attr_t *a, size_t size);
int pthread_attr_setscope(pthread_attr_t *a, int scope);
int pthread_attr_setinheritsched(pthread_attr_t *a, int inherit);
int pthread_attr_setschedpolicy(pthread_attr_t *a, int policy);
int pthread_attr_setschedparam(pthread_attr_t *a, const struct sched_param *param);
int pthread_attr_setaffinity_np(pthread_attr_t *a, size_t size, const cpu_set_t *set);
int pthread_setaffinity_np(pthread_t t, size_t size, const cpu_set_t *set);
int pthread_getaffinity_np(pthread_t t, size_t size, cpu_set_t *set);
int pthread_setname_np(pthread_t t, const char *name);
int pthread_setschedparam(pthread_t t, int policy, const struct sched_param *param);
int pthread_setconcurrency(int level);
int pthread_mutexattr_gettype(const pthread_mutexattr_t *a, int *kind);
int pthread_mutexattr_setpshared(pthread_mutexattr_t *a, int shared);
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *a, int protocol);
int pthread_mutexattr_setrobust(pthread_mutexattr_t *a, int robust);
int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *t);
int pthread_mutex_consistent(pthread_mutex_t *m);
int pthread_condattr_init(pthread_condattr_t *a);
int pthread_condattr_destroy(pthread_condattr_t *a);
int pthread_condattr_setclock(pthread_condattr_t *a, clockid_t clock);
int pthread_condattr_setpshared(pthread_condattr_t *a, int shared);
int pthread_rwlockattr_init(pthread_rwlockattr_t *a);
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *a);
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *a, int shared);
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *a, int kind);
int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *t);
int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *t);
int pthread_barrierattr_init(pthread_barrierattr_t *a);
int pthread_barrierattr_destroy(pthread_barrierattr_t *a);
int pthread_barrierattr_setpshared(pthread_barrierattr_t *a, int shared);
