//@ run: verify --memory sc
//@ expect: violated witness.kind=race
//@ run: verify --memory rc11
//@ expect: violated witness.kind=race
// A semaphore is initialised while another thread may wait for it already: to find that it has
// to wait, a thread reads the semaphore, so this is a race.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static void *work(void *s) { sem_wait(s); return 0; }

int main(void)
{
    pthread_t t;
    sem_t *s = malloc(sizeof *s);
    pthread_create(&t, 0, work, s);
    sem_init(s, 0, 0);
    sem_post(s);
    pthread_join(t, 0);
    free(s);
    return 0;
}
