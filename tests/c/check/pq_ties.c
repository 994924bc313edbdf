//@ run: check --calls 3
//@ expect: violated witness.kind=client
//@ run: check --calls 3 -D ANY
//@ expect: holds
//@ run: check --calls 3 -D ANY -D LARGEST
//@ expect: violated witness.kind=client
//@ run: check --calls 3 -D ANY -D MAX -D LARGEST
//@ expect: holds
// A queue of priorities in which the youngest of equals leaves first, as in a heap that does not care: it is one
// if ties are anybody's, and one by the largest if that is what it takes.
#include <pthread.h>

#ifdef ANY
#ifdef MAX
#pragma lineal object pq args=order ties=any first=max
#else
#pragma lineal object pq args=order ties=any
#endif
#else
#pragma lineal object pq args=order
#endif
#pragma lineal op put = put(prio, value)
#pragma lineal op rm = take() -> value, empty if result == -1

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int prios[4], values[4], n;

void put(int prio, int value)
{
    pthread_mutex_lock(&m);
    prios[n] = prio;
    values[n++] = value;
    pthread_mutex_unlock(&m);
}

int take(void)
{
    int best = -1, value = -1;
    pthread_mutex_lock(&m);
    for (int i = 0; i < n; i++)
#ifdef LARGEST
        if (best < 0 || prios[i] >= prios[best]) best = i;
#else
        if (best < 0 || prios[i] <= prios[best]) best = i;
#endif
    if (best >= 0) {
        value = values[best];
        n--;
        for (int i = best; i < n; i++) {
            prios[i] = prios[i + 1];
            values[i] = values[i + 1];
        }
    }
    pthread_mutex_unlock(&m);
    return value;
}
