//@ run: verify --memory rc11
//@ expect: violated witness.kind=assertion
//@ run: verify --memory sc
//@ expect: holds
// Two nodes in between, and locking both neighbours is not enough either.
#include "../../../examples/set/lazy-list-lock-both.c"
#include <assert.h>
#include <pthread.h>

static int a, b;

static void *thread1(void *arg)
{
    (void)arg;
    set_insert(&set, 1);
    a = set_remove(&set, 4);
    return NULL;
}

static void *thread2(void *arg)
{
    (void)arg;
    set_insert(&set, 2);
    set_insert(&set, 3);
    return NULL;
}

static void *thread3(void *arg)
{
    (void)arg;
    set_insert(&set, 4);
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
