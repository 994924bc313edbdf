//@ run: check --calls 2
//@ expect: violated  witness.kind=unsafe  witness.calls=2  witness.client.len=2
// Two locks, taken in either order.
#pragma lineal object counter
#pragma lineal op inc = add_one()
#pragma lineal op read = get() -> value
#include <pthread.h>
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static int n;
void add_one(void) {
    pthread_mutex_lock(&one);
    pthread_mutex_lock(&two);
    n++;
    pthread_mutex_unlock(&two);
    pthread_mutex_unlock(&one);
}
int get(void) {
    pthread_mutex_lock(&two);
    pthread_mutex_lock(&one);
    int seen = n;
    pthread_mutex_unlock(&one);
    pthread_mutex_unlock(&two);
    return seen;
}
