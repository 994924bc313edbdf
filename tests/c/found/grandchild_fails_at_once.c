//@ run: verify --memory ra
//@ expect: violated witness.kind=null-pointer
// Two creations lead to a failure in a thread without events, and an idle thread beside it does not.
#include <pthread.h>

static void *idle(void *a)
{
    return a;
}

static void *fails(void *a)
{
    *(int *)a = 1;
    return 0;
}

static void *middle(void *a)
{
    pthread_t t;
    pthread_create(&t, 0, fails, a);
    pthread_join(t, 0);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&u, 0, idle, 0);
    pthread_create(&t, 0, middle, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
