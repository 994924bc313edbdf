//@ from: bminor/musl 86373b4999bfd9a9379bc4a3ca877b1c80a2a340
//@ set up: ./configure; make obj/include/bits/alltypes.h obj/include/bits/syscall.h obj/src/internal/version.h
//@ run: verify -I @bminor/musl -I @bminor/musl/arch/x86_64 -I @bminor/musl/arch/generic -I @bminor/musl/obj/src/internal -I @bminor/musl/src/include -I @bminor/musl/src/internal -I @bminor/musl/obj/include -I @bminor/musl/include -D_XOPEN_SOURCE=700 --volatile relaxed
//@ expect: holds
/* Two threads of the lock that musl itself uses, on a futex: nobody is in the section beside another,
   and nobody sleeps for ever. */
#include "src/thread/__lock.c"
struct __libc __libc;
static volatile int l[1];
#define SET_UP (libc.need_locks = 1)
#define ENTER(me) __lock(l)
#define LEAVE(me) __unlock(l)
#include "section.h"
