#pragma once
#include <stddef.h>
#include <time.h>
#define SEM_VALUE_MAX 2147483647
#define SEM_FAILED ((sem_t *)0)
typedef struct { int value; int destroyed; } sem_t;
int sem_init(sem_t *s, int shared, unsigned value);
int sem_destroy(sem_t *s);
int sem_wait(sem_t *s);
int sem_trywait(sem_t *s);
int sem_post(sem_t *s);
int sem_getvalue(sem_t *s, int *out);
int sem_timedwait(sem_t *s, const struct timespec *t);
sem_t *sem_open(const char *name, int flags, ...);
int sem_close(sem_t *s);
int sem_unlink(const char *name);
