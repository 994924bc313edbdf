//@ from: rmind/libqsbr e73407cb5dba097e59036e9a4ad8cfe8f5fe50dd
//@ run: verify -I @rmind/libqsbr/src --races ignore --time-limit 60s
//@ expect: violated
//@ run: verify -I @rmind/libqsbr/src --races ignore --memory tso --time-limit 60s
//@ expect: holds
/* rmind/libqsbr, ebr: a reader and a writer that frees what the reader may still use, when it is told that it
   may. */
#include "ebr.c"
#include <pthread.h>
static ebr_t *e;
static int *shared;
static int there, done;
static void *reader(void *arg)
{
    (void)arg;
    ebr_register(e);
    __atomic_store_n(&there, 1, __ATOMIC_RELEASE);
    ebr_enter(e);
    int *p = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
    if (p) *p += 1;
    ebr_exit(e);
    while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) { }
    ebr_unregister(e);
    return 0;
}
int main(void)
{
    pthread_t t;
    e = ebr_create();
    int *old = calloc(1, sizeof *old);
    __atomic_store_n(&shared, old, __ATOMIC_SEQ_CST);
    pthread_create(&t, 0, reader, 0);
    while (!__atomic_load_n(&there, __ATOMIC_ACQUIRE)) { }
    __atomic_store_n(&shared, (int *)0, __ATOMIC_SEQ_CST);
    ebr_full_sync(e, 1);
    free(old);
    __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
    pthread_join(t, 0);
    return 0;
}
