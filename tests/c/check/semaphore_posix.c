//@ run: check --calls 4
//@ expect: holds
// The library's own semaphore.
#include <semaphore.h>
#pragma lineal object semaphore count=1
#pragma lineal init sem_init(&s, 0, 1)
#pragma lineal op wait = sem_wait(&s)
#pragma lineal op trywait = sem_trywait(&s), empty if result != 0
#pragma lineal op post = sem_post(&s)
static sem_t s;
