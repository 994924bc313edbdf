// One lock around everything: every call sees every earlier one, also those that find nothing.
//@ run: check --level R --calls 3
//@ expect: holds
//@ run: check --level RI --calls 3
//@ expect: holds
//@ run: check --level RD --calls 3
//@ expect: holds
//@ run: check --level RID --calls 3
//@ expect: holds
//@ run: check --level total --calls 3
//@ expect: holds
#include <pthread.h>

#pragma lineal object queue level=total args=independent
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value, empty if result == 0

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int slot[8], front, back;

void enqueue(int value)
{
    pthread_mutex_lock(&lock);
    slot[back++] = value;
    pthread_mutex_unlock(&lock);
}

int dequeue(void)
{
    pthread_mutex_lock(&lock);
    int value = front < back ? slot[front++] : 0;
    pthread_mutex_unlock(&lock);
    return value;
}
