//@ run: verify -DSHAPE=0 --no-reduction threads
//@ expect: holds stats.executions=6
//@ run: verify -DSHAPE=1 --no-reduction threads
//@ expect: holds stats.executions=6
//@ run: verify -DSHAPE=2 --no-reduction threads
//@ expect: holds stats.executions=6
//@ run: verify -DSHAPE=3 --no-reduction threads
//@ expect: holds stats.executions=6
//@ run: verify -DSHAPE=4 --no-reduction threads --memory sc
//@ expect: holds stats.executions=6
//@ run: verify -DSHAPE=5 --no-reduction threads --memory tso
//@ expect: holds stats.executions=6
//@ run: verify -DSHAPE=0 -DCARELESS
//@ expect: violated witness.kind=race
//@ run: verify -DSHAPE=0 -DAFTERWARDS
//@ expect: violated witness.kind=race
//@ run: verify -DSHAPE=5 -DTELLS
//@ expect: violated witness.kind=assertion
// Three threads look under the lock, again and again, whether something has happened: one execution
// for each order in which they learn of it, however the loop is written.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef SHAPE
#define SHAPE 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int news;
static atomic_int looks;

static int look(void)
{
    pthread_mutex_lock(&lock);
    int seen = news;
    pthread_mutex_unlock(&lock);
    return seen == 2;
}

void *reader(void *unused)
{
#if SHAPE == 0
    for (;;)
        if (look())
            return 0;
#elif SHAPE == 1
    int seen;
    do
        seen = look();
    while (!seen);
#elif SHAPE == 2
again:
    if (!look())
        goto again;
#elif SHAPE == 3
    for (;;) {
        pthread_mutex_lock(&lock);
        if (news != 2) {
            pthread_mutex_unlock(&lock);
            continue;
        }
        pthread_mutex_unlock(&lock);
        break;
    }
#elif SHAPE == 4
    pthread_mutex_lock(&lock);
    while (news != 2) {
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
#elif SHAPE == 5
    int done = 0, early = 0;
    while (!done) {
        pthread_mutex_lock(&lock);
        if (news == 2)
            done = 1;
        else
            early = 1;
        pthread_mutex_unlock(&lock);
    }
#ifdef TELLS
    atomic_fetch_or(&looks, early);
#endif
#endif
    return 0;
}

void *writer(void *unused)
{
    for (int i = 1; i <= 2; i++) {
#ifndef CARELESS
        pthread_mutex_lock(&lock);
#endif
        news = i;
#ifndef CARELESS
        pthread_mutex_unlock(&lock);
#endif
    }
#ifdef AFTERWARDS
    news = 2;
#endif
    return 0;
}

int main(void)
{
    pthread_t threads[4];
    pthread_create(&threads[0], 0, writer, 0);
    for (int i = 1; i < 4; i++)
        pthread_create(&threads[i], 0, reader, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    assert(atomic_load(&looks) == 0);
    return 0;
}
