#pragma once
#include <stddef.h>
typedef struct { int value; int destroyed; } sem_t;
int sem_init(sem_t *s, int shared, unsigned value);
int sem_destroy(sem_t *s);
int sem_wait(sem_t *s);
int sem_trywait(sem_t *s);
int sem_post(sem_t *s);
int sem_getvalue(sem_t *s, int *out);
