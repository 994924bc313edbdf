//@ run: check --calls 3
//@ expect: holds
//@ run: check --calls 3 -DSWAPPED
//@ expect: violated  witness.kind=client  witness.calls=3
// A deque behind a mutex.
#include <pthread.h>
#pragma lineal object deque args=independent
#pragma lineal op push-front = push_front(value)
#pragma lineal op push-back = push_back(value)
#pragma lineal op pop-front = pop_front() -> value, empty if result == 0
#pragma lineal op pop-back = pop_back() -> value, empty if result == 0
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int item[16], first = 8, last = 8;
void push_front(int value) {
    pthread_mutex_lock(&lock);
    item[--first] = value;
    pthread_mutex_unlock(&lock);
}
void push_back(int value) {
    pthread_mutex_lock(&lock);
    item[last++] = value;
    pthread_mutex_unlock(&lock);
}
int pop_front(void) {
    pthread_mutex_lock(&lock);
    int v = first == last ? 0 : item[first++];
    pthread_mutex_unlock(&lock);
    return v;
}
int pop_back(void) {
    pthread_mutex_lock(&lock);
#ifdef SWAPPED
    int v = first == last ? 0 : item[first++];
#else
    int v = first == last ? 0 : item[--last];
#endif
    pthread_mutex_unlock(&lock);
    return v;
}
