//@ run: verify --memory sc
//@ expect: violated witness.kind=race
// Passing the address of a loop variable to threads: the classic.
#include <pthread.h>

static int got[2];

static void *run(void *arg)
{
    int me = *(int *)arg;
    if (me < 2)
        got[me] = 1;
    return 0;
}

int main(void)
{
    pthread_t t[2];
    int i;
    for (i = 0; i < 2; i++)
        pthread_create(&t[i], 0, run, &i);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
