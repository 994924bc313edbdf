//@ run: verify --memory sc
//@ expect: holds
// pthread_self differs between threads and agrees with what create stored.
#include <assert.h>
#include <pthread.h>

static pthread_t first;

static void *run(void *arg)
{
    pthread_t *main_id = arg;
    assert(!pthread_equal(pthread_self(), *main_id));
    first = pthread_self();
    return 0;
}

int main(void)
{
    pthread_t me = pthread_self(), t;
    pthread_create(&t, 0, run, &me);
    pthread_join(t, 0);
    assert(pthread_equal(first, t) && pthread_equal(me, pthread_self()));
    return 0;
}
