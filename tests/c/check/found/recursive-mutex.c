//@ run: check --calls 2
//@ expect: violated witness.kind=result
//@ run: check --calls 2 -DSTATIC
//@ expect: violated witness.kind=result
//@ from: a recursive mutex knows its thread
#define _GNU_SOURCE
#include <pthread.h>
#pragma lineal object spec
#pragma lineal init setup()
#pragma lineal op acq = acq() -> value
#pragma lineal spec acq = s_acq()
#ifdef STATIC
static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
void setup(void) {}
#else
static pthread_mutex_t m;
static pthread_mutexattr_t at;
void setup(void)
{
    pthread_mutexattr_init(&at);
    pthread_mutexattr_settype(&at, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &at);
}
#endif
int acq(void) { return pthread_mutex_trylock(&m) == 0; }
static int held;
int s_acq(void)
{
    if (held) return 0;
    held = 1;
    return 1;
}
