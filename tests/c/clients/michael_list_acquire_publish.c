//@ run: verify --memory rc11
//@ expect: violated witness.kind=race
//@ run: verify --memory sc
//@ expect: holds
// A node that was published without release: the read of its key races with the write.
#include "../../../examples/set/michael-list-acquire-publish.c"
#include <assert.h>
#include <pthread.h>

static void *thread1(void *arg)
{
    (void)arg;
    set_insert(&set, 1);
    return NULL;
}

static void *thread2(void *arg)
{
    (void)arg;
    set_insert(&set, 2);
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
    return 0;
}
