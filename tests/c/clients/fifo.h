// The client enqueue 1; enqueue 2  ||  dequeue -> 2,
// which no order of the calls explains; the object is included before.
#include <assert.h>
#include <pthread.h>

static int a;

static void *thread1(void *arg)
{
    (void)arg;
    queue_enqueue(&queue, 1);
    queue_enqueue(&queue, 2);
    return NULL;
}

static void *thread2(void *arg)
{
    (void)arg;
    a = queue_dequeue(&queue);
    return NULL;
}

int main(void)
{
    queue_init(&queue);
    pthread_t t[2];
    pthread_create(&t[0], NULL, thread1, NULL);
    pthread_create(&t[1], NULL, thread2, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(!(a == 2));
    return 0;
}
