/* Two threads meet twice at a barrier, JOIN(me), after SET_UP: what each did before, the other sees. */
#include <assert.h>
#include <pthread.h>

static int said[2][2];

static void part(int me)
{
    for (int round = 0; round < 2; round++) {
        said[round][me] = 1;
        JOIN(me);
        assert(said[round][1 - me] == 1);
    }
}

static void *thread(void *arg)
{
    part(1);
    return arg;
}

int main(void)
{
    pthread_t t;
    SET_UP;
    pthread_create(&t, 0, thread, 0);
    part(0);
    pthread_join(t, 0);
    return 0;
}
