//@ run: verify --memory sc
//@ expect: violated witness.kind=use-after-free
// A thread may still wait for the semaphore when it is freed.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static void *work(void *s) { sem_wait(s); return 0; }

int main(void)
{
    pthread_t t;
    sem_t *s = malloc(sizeof *s);
    sem_init(s, 0, 0);
    pthread_create(&t, 0, work, s);
    free(s);
    return 0;
}
