// The client insert 1; remove 3 -> absent  ||  insert 2  ||  insert 3; remove 1 -> absent,
// which no order of the calls explains; with WITHOUT_2, it lacks the insert of 2. The object is
// included before.
#include <assert.h>
#include <pthread.h>

static int a, b;

static void *thread1(void *arg)
{
    (void)arg;
    set_insert(&set, 1);
    a = set_remove(&set, 3);
    return NULL;
}

static void *thread2(void *arg)
{
    (void)arg;
#ifndef WITHOUT_2
    set_insert(&set, 2);
#endif
    return NULL;
}

static void *thread3(void *arg)
{
    (void)arg;
    set_insert(&set, 3);
    b = set_remove(&set, 1);
    return NULL;
}

int main(void)
{
    set_init(&set);
    pthread_t t[3];
    pthread_create(&t[0], NULL, thread1, NULL);
    pthread_create(&t[1], NULL, thread2, NULL);
    pthread_create(&t[2], NULL, thread3, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(!(!a && !b));
    return 0;
}
