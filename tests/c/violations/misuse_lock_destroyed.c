//@ run: verify --memory sc
//@ expect: violated witness.kind=lock-misuse
// Locking a mutex after it was destroyed.
#include <pthread.h>

static pthread_mutex_t m;

int main(void)
{
    pthread_mutex_init(&m, 0);
    pthread_mutex_destroy(&m);
    pthread_mutex_lock(&m);
    return 0;
}
