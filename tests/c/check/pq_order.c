//@ run: check --calls 4
//@ expect: holds
//@ run: check --calls 3 -D BY_SIZE
//@ expect: violated witness.kind=client
//@ run: check --calls 3 -D LAST=1
//@ expect: violated witness.kind=client
//@ run: check --calls 3 -D LARGEST
//@ expect: violated witness.kind=client
//@ run: check --calls 4 -D LAST=1 -D LARGEST -D CHAIN
//@ expect: holds
//@ run: check --calls 3 -D CIRCLE
//@ expect: error line=25
//@ run: check --calls 3 -D NO_VALUES
//@ expect: error line=31
// Two kinds of ordinary work, 1 and 2, and work that can wait, 3: whichever of the ordinary is older goes first.
// That is no queue by size, nor by another order.
#include <pthread.h>

#ifndef LAST
#define LAST 3
#endif
#if defined BY_SIZE
#pragma lineal object pq args=order
#elif defined CIRCLE
#pragma lineal object pq order=1<3,3<2<1
#elif defined CHAIN
#pragma lineal object pq order=1<3,1<2 first=max ties=any
#elif defined LARGEST
#pragma lineal object pq order=1<3,2<3 first=max
#else
#pragma lineal object pq order=1<3,2<3
#endif
#ifndef NO_VALUES
#pragma lineal values 1..3
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
    int best = 0, value = -1;
    pthread_mutex_lock(&m);
    while (best < n && prios[best] == LAST) best++;
    if (best == n) best = 0;
    if (n > 0) {
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
