//@ from: bminor/musl 86373b4999bfd9a9379bc4a3ca877b1c80a2a340
//@ set up: ./configure; make obj/include/bits/alltypes.h obj/include/bits/syscall.h obj/src/internal/version.h
//@ run: check --calls 4 -I @bminor/musl -I @bminor/musl/arch/x86_64 -I @bminor/musl/arch/generic -I @bminor/musl/obj/src/internal -I @bminor/musl/src/include -I @bminor/musl/src/internal -I @bminor/musl/obj/include -I @bminor/musl/include -D_XOPEN_SOURCE=700 --volatile relaxed
//@ expect: holds
/* musl's reader-writer lock, without waiting. */
#include "src/thread/pthread_rwlock_tryrdlock.c"
#include "src/thread/pthread_rwlock_trywrlock.c"
#include "src/thread/pthread_rwlock_unlock.c"
static pthread_rwlock_t l;
#pragma lineal object rw-lock
#pragma lineal op try_read_lock = __pthread_rwlock_tryrdlock(&l) -> result == 0
#pragma lineal op read_unlock = __pthread_rwlock_unlock(&l)
#pragma lineal op try_write_lock = __pthread_rwlock_trywrlock(&l) -> result == 0
#pragma lineal op write_unlock = __pthread_rwlock_unlock(&l)
