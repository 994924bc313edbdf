//@ from: bminor/musl 86373b4999bfd9a9379bc4a3ca877b1c80a2a340
//@ set up: ./configure; make obj/include/bits/alltypes.h obj/include/bits/syscall.h obj/src/internal/version.h
//@ run: verify -I @bminor/musl -I @bminor/musl/arch/x86_64 -I @bminor/musl/arch/generic -I @bminor/musl/obj/src/internal -I @bminor/musl/src/include -I @bminor/musl/src/internal -I @bminor/musl/obj/include -I @bminor/musl/include -D_XOPEN_SOURCE=700 --volatile relaxed
//@ expect: holds
/* Two threads of musl's spin lock: nobody is in the section beside another. */
#include "src/thread/pthread_spin_lock.c"
#include "src/thread/pthread_spin_unlock.c"
static pthread_spinlock_t l;
#define SET_UP (void)0
#define ENTER(me) pthread_spin_lock(&l)
#define LEAVE(me) pthread_spin_unlock(&l)
#include "section.h"
