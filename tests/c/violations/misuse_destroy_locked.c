//@ run: verify --memory sc
//@ expect: violated witness.kind=lock-misuse
// Destroying a mutex that is held.
#include <pthread.h>

int main(void)
{
    pthread_mutex_t m;
    pthread_mutex_init(&m, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_destroy(&m);
    return 0;
}
