// A counter that hands out numbers, each once, and nearly in order: two counters behind a balancer.
//
// What it is. A balancer sends calls to the even and to the odd numbers by turns; there each takes
// the next one. Calls compete for two words instead of one. Whoever is slow between the two may be
// overtaken. With BUGGY a call takes the side it likes.
// From: the smallest counting network of Aspnes, Herlihy and Shavit (JACM 1994).
//
// Verdicts:
//@ run: check --calls 3
//@ expect: violated
//@ run: check --calls 3 --quasi inc=1
//@ expect: holds
//@ run: check --calls 3 --memory sc --quasi-max inc
//@ expect: holds smallest.factor=1
//@ run: check -DBUGGY --calls 3 --memory sc --quasi inc=1
//@ expect: violated
#include <stdatomic.h>

int __VERIFIER_nondet_range(int low, int high);

static atomic_uint balancer;
static atomic_int taken[2];

#pragma lineal object fai
#pragma lineal op inc = next() -> value

static int next(void)
{
#ifdef BUGGY
    int side = __VERIFIER_nondet_range(0, 1);
#else
    int side = atomic_fetch_add_explicit(&balancer, 1, memory_order_relaxed) % 2;
#endif
    return 2 * atomic_fetch_add_explicit(&taken[side], 1, memory_order_relaxed) + side;
}
