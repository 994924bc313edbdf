//@ run: verify --memory rc11
//@ expect: holds
//@ run: verify --memory sc
//@ expect: holds
// The client of lazy_list.c without 2 in between: both inserts change the same link, so one of
// them sees the other.
#include "../../../examples/set/lazy-list.c"
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
    set_insert(&set, 3);
    b = set_remove(&set, 1);
    return NULL;
}

int main(void)
{
    set_init(&set);
    pthread_t t[2];
    pthread_create(&t[0], NULL, thread1, NULL);
    pthread_create(&t[1], NULL, thread2, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(!(!a && !b));
    return 0;
}
