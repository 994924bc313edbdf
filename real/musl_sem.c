//@ from: bminor/musl 86373b4999bfd9a9379bc4a3ca877b1c80a2a340
//@ set up: ./configure; make obj/include/bits/alltypes.h obj/include/bits/syscall.h obj/src/internal/version.h
//@ run: check --calls 4 -I @bminor/musl -I @bminor/musl/arch/x86_64 -I @bminor/musl/arch/generic -I @bminor/musl/obj/src/internal -I @bminor/musl/src/include -I @bminor/musl/src/internal -I @bminor/musl/obj/include -I @bminor/musl/include -D_XOPEN_SOURCE=700 --volatile relaxed
//@ expect: holds
/* musl's semaphore, without waiting. */
#include "src/thread/sem_post.c"
#include "src/thread/sem_trywait.c"
#include "src/thread/sem_init.c"
static sem_t s;
int *___errno_location(void)
{
    static _Thread_local int mine;
    return &mine;
}
#pragma lineal object semaphore count=1
#pragma lineal init sem_init(&s, 0, 1)
#pragma lineal op post = sem_post(&s)
#pragma lineal op try_wait = sem_trywait(&s) -> result == 0
