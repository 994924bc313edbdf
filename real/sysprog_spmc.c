//@ from: sysprog21/concurrent-programs e04b9c3654043276f523a50b9f29fd7d135d5809
//@ run: check --calls 4 -I @sysprog21/concurrent-programs/spmc --time-limit 60s
//@ expect: holds
/* spmc of sysprog21/concurrent-programs: one producer, several consumers. */
#define main spmc_main
#include "spmc.c"
#undef main
static spmc_ref_t q;
#pragma lineal object queue args=independent
#pragma lineal init q = spmc_new(0, 0)
#pragma lineal op enqueue = spmc_enqueue(q, (unsigned long)(value + 1))
#pragma lineal op dequeue = take() -> value, empty if result == -1
#pragma lineal role producer: enqueue max=1
static long take(void) { uintptr_t v; return spmc_dequeue(q, &v) ? (long)v - 1 : -1; }
