//@ run: check --calls 4
//@ expect: holds
//@ run: check --calls 4 --level total
//@ expect: violated  witness.kind=sync  witness.calls=2
// The library's own mutex, of which trying in vain promises nothing. A function that returns a number is still waited for, and `empty if` says
// when trying failed.
#include <pthread.h>
#pragma lineal object mutex
#pragma lineal op lock = pthread_mutex_lock(&m)
#pragma lineal op trylock = pthread_mutex_trylock(&m), empty if result != 0
#pragma lineal op unlock = pthread_mutex_unlock(&m)
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
