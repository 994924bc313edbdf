//@ from: google/nsync 5b420ef6b16532a4fad4be1fde8e483b6b7bd8f4
//@ run: check --calls 2 -DNSYNC_ATOMIC_C11 -D_POSIX_C_SOURCE=200809L -I @google/nsync/public -I @google/nsync/internal -I @google/nsync/platform/c11 -I @google/nsync/platform/gcc -I @google/nsync/platform/posix -I @google/nsync/platform/posix/src @google/nsync/internal/mu.c @google/nsync/internal/common.c @google/nsync/internal/dll.c @google/nsync/internal/sem_wait.c @google/nsync/platform/posix/src/nsync_semaphore_mutex.c @google/nsync/platform/posix/src/nsync_panic.c @google/nsync/platform/posix/src/per_thread_waiter.c @google/nsync/platform/posix/src/yield.c --time-limit 60s
//@ expect: holds
/* nsync's mutex. */
#include "nsync.h"
static nsync_mu m;
#pragma lineal object rw-lock
#pragma lineal op write_lock = nsync_mu_lock(&m)
#pragma lineal op write_unlock = nsync_mu_unlock(&m)
#pragma lineal op read_lock = nsync_mu_rlock(&m)
#pragma lineal op read_unlock = nsync_mu_runlock(&m)
#pragma lineal op try_write_lock = nsync_mu_trylock(&m)
