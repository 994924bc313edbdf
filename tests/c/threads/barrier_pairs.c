//@ run: verify --memory sc --observe r[0],r[1],r[2],r[3]
//@ expect: holds outcomes={r[0]=-1 r[1]=-1 r[2]=0 r[3]=0; r[0]=-1 r[1]=0 r[2]=-1 r[3]=0; r[0]=-1 r[1]=0 r[2]=0 r[3]=-1; r[0]=0 r[1]=-1 r[2]=-1 r[3]=0; r[0]=0 r[1]=-1 r[2]=0 r[3]=-1; r[0]=0 r[1]=0 r[2]=-1 r[3]=-1}
//@ run: verify --memory rc11 --observe r[0],r[1],r[2],r[3]
//@ expect: holds outcomes={r[0]=-1 r[1]=-1 r[2]=0 r[3]=0; r[0]=-1 r[1]=0 r[2]=-1 r[3]=0; r[0]=-1 r[1]=0 r[2]=0 r[3]=-1; r[0]=0 r[1]=-1 r[2]=-1 r[3]=0; r[0]=0 r[1]=-1 r[2]=0 r[3]=-1; r[0]=0 r[1]=0 r[2]=-1 r[3]=-1}
//@ run: verify --memory rc11 -DEARLY
//@ expect: violated witness.kind=race
//@ run: verify --memory sc -DAGAIN
//@ expect: holds stats.executions=8
// Four threads at a barrier for two pair up, in any way: of each pair one is the serial thread. With EARLY
// one of them looks at what another one, which need not be its partner, did before. With AGAIN a barrier is
// set up three times, for two threads each (two serial threads to choose from, each time).
#include <pthread.h>

static pthread_barrier_t b;
static int r[4], data[4];

static void *work(void *arg)
{
    long me = (long)arg;
    data[me] = 1;
    r[me] = pthread_barrier_wait(&b);
#ifdef EARLY
    if (me == 0)
        r[0] = data[1];
#endif
    return 0;
}

#ifdef AGAIN
static void pair(void)
{
    pthread_t t[2];
    pthread_barrier_init(&b, 0, 2);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    pthread_barrier_destroy(&b);
}
#endif

int main(void)
{
#ifdef AGAIN
    for (int i = 0; i < 3; i++)
        pair();
#else
    pthread_t t[4];
    pthread_barrier_init(&b, 0, 2);
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    pthread_barrier_destroy(&b);
#endif
    return 0;
}
