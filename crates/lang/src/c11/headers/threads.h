#pragma once
#include <stddef.h>
#include <time.h>
typedef unsigned long thrd_t;
typedef int (*thrd_start_t)(void *);
typedef struct { int owner; int depth; int kind; int live; } mtx_t;
typedef struct { unsigned long waiting; int destroyed; int live; } cnd_t;
typedef unsigned tss_t;
typedef void (*tss_dtor_t)(void *);
typedef int once_flag;
#define ONCE_FLAG_INIT 0
#define thread_local _Thread_local
enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };
int thrd_create(thrd_t *t, thrd_start_t f, void *arg);
int thrd_join(thrd_t t, int *result);
int thrd_detach(thrd_t t);
thrd_t thrd_current(void);
int thrd_equal(thrd_t a, thrd_t b);
_Noreturn void thrd_exit(int result);
void thrd_yield(void);
int thrd_sleep(const struct timespec *t, struct timespec *left);
void call_once(once_flag *flag, void (*f)(void));
int mtx_init(mtx_t *m, int kind);
void mtx_destroy(mtx_t *m);
int mtx_lock(mtx_t *m);
int mtx_trylock(mtx_t *m);
int mtx_timedlock(mtx_t *m, const struct timespec *t);
int mtx_unlock(mtx_t *m);
int cnd_init(cnd_t *c);
void cnd_destroy(cnd_t *c);
int cnd_wait(cnd_t *c, mtx_t *m);
int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *t);
int cnd_signal(cnd_t *c);
int cnd_broadcast(cnd_t *c);
int tss_create(tss_t *key, tss_dtor_t destructor);
void tss_delete(tss_t key);
int tss_set(tss_t key, void *value);
void *tss_get(tss_t key);
