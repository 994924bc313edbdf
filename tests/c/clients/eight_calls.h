// The client enqueue 1; enqueue 2  ||  dequeue -> 2; enqueue 3  ||  dequeue -> 3; dequeue -> 4  ||  enqueue 4; dequeue -> 1,
// which no order of the calls explains; the object is included before.
#include <assert.h>
#include <pthread.h>

static int a, b, c, d;

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
    queue_enqueue(&queue, 3);
    return NULL;
}

static void *thread3(void *arg)
{
    (void)arg;
    b = queue_dequeue(&queue);
    c = queue_dequeue(&queue);
    return NULL;
}

static void *thread4(void *arg)
{
    (void)arg;
    queue_enqueue(&queue, 4);
    d = queue_dequeue(&queue);
    return NULL;
}

int main(void)
{
    queue_init(&queue);
    pthread_t t[4];
    pthread_create(&t[0], NULL, thread1, NULL);
    pthread_create(&t[1], NULL, thread2, NULL);
    pthread_create(&t[2], NULL, thread3, NULL);
    pthread_create(&t[3], NULL, thread4, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    assert(!(a == 2 && b == 3 && c == 4 && d == 1));
    return 0;
}
