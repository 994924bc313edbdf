//@ run: verify --memory sc
//@ expect: violated witness.kind=abort
// abort is reached when the flag is seen before the data it should follow.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int data, flag;

static void *writer(void *a) { (void)a; flag = 1; data = 1; return 0; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    if (flag && !data)
        abort();
    pthread_join(t, 0);
    return 0;
}
