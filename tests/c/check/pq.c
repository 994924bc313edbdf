//@ run: check --calls 3
//@ expect: holds
//@ run: check --calls 3 -DANY
//@ expect: violated  witness.kind=client  witness.calls=3
// A priority queue behind a mutex: the smallest first, of equal ones the oldest.
#include <pthread.h>
#pragma lineal object pq args=order
#pragma lineal op put = put(prio, value)
#pragma lineal op rm = rm() -> value, empty if result == 0
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int rank[8], item[8], size;
void put(int prio, int value) {
    pthread_mutex_lock(&lock);
    rank[size] = prio;
    item[size++] = value;
    pthread_mutex_unlock(&lock);
}
int rm(void) {
    pthread_mutex_lock(&lock);
    int v = 0;
    if (size > 0) {
        int best = 0;
#ifndef ANY
        for (int i = 1; i < size; i++)
            if (rank[i] < rank[best]) best = i;
#endif
        v = item[best];
        size--;
        for (int i = best; i < size; i++) {
            rank[i] = rank[i + 1];
            item[i] = item[i + 1];
        }
    }
    pthread_mutex_unlock(&lock);
    return v;
}
