// The client enqueue 1; dequeue -> empty  ||  enqueue 2; dequeue -> 1,
// which no order of the calls explains; the object is included before.
#include <assert.h>
#include <pthread.h>

static int a, b;

static void *thread1(void *arg)
{
    (void)arg;
    queue_enqueue(&queue, 1);
    a = queue_dequeue(&queue);
    return NULL;
}

static void *thread2(void *arg)
{
    (void)arg;
    queue_enqueue(&queue, 2);
    b = queue_dequeue(&queue);
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
    assert(!(a == 0 && b == 1));
    return 0;
}
