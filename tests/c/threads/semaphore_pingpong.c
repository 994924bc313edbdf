//@ run: verify --memory sc
//@ expect: holds
// Two semaphores force strict alternation of plain accesses.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ping, pong;
static int ball;

static void *run(void *x)
{
    (void)x;
    for (int i = 0; i < 2; i++) {
        sem_wait(&ping);
        assert(ball == 2 * i + 1);
        ball++;
        sem_post(&pong);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 0);
    pthread_create(&t, 0, run, 0);
    for (int i = 0; i < 2; i++) {
        ball++;
        sem_post(&ping);
        sem_wait(&pong);
    }
    assert(ball == 4);
    pthread_join(t, 0);
    return 0;
}
