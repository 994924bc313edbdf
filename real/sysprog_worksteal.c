//@ from: sysprog21/concurrent-programs e04b9c3654043276f523a50b9f29fd7d135d5809
//@ run: check --calls 3 -I @sysprog21/concurrent-programs/work-steal --time-limit 60s
//@ expect: holds
//@ run: check --calls 3 -I @sysprog21/concurrent-programs/work-steal -DFRESH --time-limit 60s
//@ expect: violated
/* The work-stealing deque of sysprog21/concurrent-programs: its owner pushes and takes at one end, others
   steal at the other. */
#include "work-steal.c"
static deque_t q;
#pragma lineal object deque args=independent
#pragma lineal init set_up()
#pragma lineal op push-back = push(&q, (work_t *)(value * 16 + 0x1000))
#pragma lineal op pop-back = own() -> result, empty if result == -1
#pragma lineal op pop-front = other() -> result, empty if result == -1, may fail
#pragma lineal role owner: push-back, pop-back max=1
static long number(work_t *w) { return w == EMPTY || w == ABORT ? -1 : ((long)w - 0x1000) / 16; }
static long own(void) { return number(take(&q)); }
static long other(void) { return number(steal(&q)); }
static void set_up(void)
{
    init(&q, 4);
#ifndef FRESH /* something was in it once */
    push(&q, (work_t *)0x1000);
    take(&q);
#endif
}
