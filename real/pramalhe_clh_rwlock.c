//@ from: pramalhe/ConcurrencyFreaks ae40ca8412569bd19636baad223413e9c4c4c793
//@ run: check --calls 4 -I @pramalhe/ConcurrencyFreaks/C11/locks --time-limit 60s
//@ expect: violated
//@ run: check --calls 4 -I @pramalhe/ConcurrencyFreaks/C11/locks --races ignore --memory tso --time-limit 60s
//@ expect: holds
/* clh_rwlock of ConcurrencyFreaks, as a reader-writer lock. */
#include "clh_rwlock.c"
static clh_rwlock_t l; /* the file calls its set-up clh_rwlockx_init, unlike the header */
#pragma lineal object rw-lock
#pragma lineal init clh_rwlockx_init(&l)
#pragma lineal op read_lock = clh_rwlock_readlock(&l)
#pragma lineal op read_unlock = clh_rwlock_readunlock(&l)
#pragma lineal op write_lock = clh_rwlock_writelock(&l)
#pragma lineal op write_unlock = clh_rwlock_writeunlock(&l)
