//@ from: rmind/libqsbr e73407cb5dba097e59036e9a4ad8cfe8f5fe50dd
//@ run: verify -I @rmind/libqsbr/src --races ignore --time-limit 60s
//@ expect: violated
//@ run: verify -I @rmind/libqsbr/src --races ignore --memory tso --time-limit 60s
//@ expect: unknown
/* rmind/libqsbr, qsbr: a reader and a writer that frees what the reader may still use, when it is told that it
   may. */
#include "qsbr.c"
#include <pthread.h>
static qsbr_t *q;
static int *shared;
static int there, done;
static void *reader(void *arg)
{
    (void)arg;
    qsbr_register(q);
    __atomic_store_n(&there, 1, __ATOMIC_RELEASE);
    int *p = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
    if (p) *p += 1;
    qsbr_checkpoint(q);
    while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) { }
    qsbr_unregister(q);
    return 0;
}
int main(void)
{
    pthread_t t;
    q = qsbr_create();
    qsbr_register(q);
    int *old = calloc(1, sizeof *old);
    __atomic_store_n(&shared, old, __ATOMIC_SEQ_CST);
    pthread_create(&t, 0, reader, 0);
    while (!__atomic_load_n(&there, __ATOMIC_ACQUIRE)) { }
    __atomic_store_n(&shared, (int *)0, __ATOMIC_SEQ_CST);
    qsbr_epoch_t target = qsbr_barrier(q);
    while (!qsbr_sync(q, target)) { }
    free(old);
    __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
    pthread_join(t, 0);
    return 0;
}
