// A lock that whoever finds the queue empty does not take: successful calls see each other, but
// nobody sees a dequeue that found nothing.
//@ run: check --level R --calls 3
//@ expect: holds
//@ run: check --level RI --calls 3
//@ expect: holds
//@ run: check --level RD --calls 3
//@ expect: holds
//@ run: check --level RID --calls 3
//@ expect: holds
//@ run: check --level total --calls 3
//@ expect: violated  witness.kind=sync
#include <pthread.h>
#include <stdatomic.h>

#pragma lineal object queue level=RID args=independent
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value, empty if result == 0

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int slot[8], front, back;
static atomic_int size;

void enqueue(int value)
{
    pthread_mutex_lock(&lock);
    slot[back++] = value;
    atomic_fetch_add_explicit(&size, 1, memory_order_relaxed);
    pthread_mutex_unlock(&lock);
}

int dequeue(void)
{
    int value = 0;
    if (atomic_load_explicit(&size, memory_order_relaxed) == 0)
        return value;
    pthread_mutex_lock(&lock);
    if (front < back) {
        value = slot[front++];
        atomic_fetch_sub_explicit(&size, 1, memory_order_relaxed);
    }
    pthread_mutex_unlock(&lock);
    return value;
}
