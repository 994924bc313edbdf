/* Two threads, each once in the critical section between ENTER(me) and LEAVE(me), after SET_UP: nobody
   is in it beside another, and what the first one did there the second one sees. */
#include <assert.h>
#include <pthread.h>

static int shared;

static void section(int me)
{
    (void)me;
    ENTER(me);
    shared++;
    LEAVE(me);
}

static void *thread(void *arg)
{
    section(1);
    return arg;
}

int main(void)
{
    pthread_t t;
    SET_UP;
    pthread_create(&t, 0, thread, 0);
    section(0);
    pthread_join(t, 0);
    assert(shared == 2);
    return 0;
}
