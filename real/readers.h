/* A reader and a writer: the reader sees both writes, or none. READ_LOCK, READ_UNLOCK, WRITE_LOCK and
   WRITE_UNLOCK are the lock's. */
#include <assert.h>
#include <pthread.h>

static int a, b;

static void *reader(void *arg)
{
    READ_LOCK;
    assert(a == b);
    READ_UNLOCK;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    WRITE_LOCK;
    a = 1;
    b = 1;
    WRITE_UNLOCK;
    pthread_join(t, 0);
    return 0;
}
