//@ run: check --calls 4
//@ expect: holds
// The library's own barrier.
#include <pthread.h>
#pragma lineal object barrier parties=2
#pragma lineal init pthread_barrier_init(&b, 0, 2)
#pragma lineal op wait = pthread_barrier_wait(&b) -> result == -1
static pthread_barrier_t b;
