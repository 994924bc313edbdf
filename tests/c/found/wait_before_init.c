//@ run: verify --memory sc
//@ expect-wrong: holds issue=2
// A semaphore is initialised while another thread may wait for it already: a race. Only the
// naive engine sees it, because a wait that is not met takes no step in a graph.
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
