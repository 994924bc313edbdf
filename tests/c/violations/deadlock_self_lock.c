//@ run: verify --memory sc
//@ expect: violated witness.kind=deadlock
// A normal mutex locked twice by its owner.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void helper(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
}

int main(void)
{
    pthread_mutex_lock(&m);
    helper();
    pthread_mutex_unlock(&m);
    return 0;
}
