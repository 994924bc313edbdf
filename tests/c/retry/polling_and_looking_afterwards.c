//@ run: verify
//@ expect: violated witness.kind=assertion
//@ run: verify -DPLAIN --memory sc
//@ expect: violated witness.kind=race
//@ run: verify --unroll 3
//@ expect: violated witness.kind=assertion
//@ run: verify -DPLAIN --unroll 3
//@ expect: violated witness.kind=race
// A round that looks at the news once more after its unlock, when others may have brought some: it
// must not count as a look under the lock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef PLAIN
static int news;
#else
static atomic_int news;
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *reader(void *unused)
{
    int seen, again;
    do {
        pthread_mutex_lock(&lock);
        seen = news;
        pthread_mutex_unlock(&lock);
        again = news;
#ifndef PLAIN
        assert(seen == again);
#endif
    } while (seen != 1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    pthread_mutex_lock(&lock);
    news = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
