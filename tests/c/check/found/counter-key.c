//@ run: check --calls 2
//@ expect: error code=L0124
#include <stdatomic.h>
#pragma lineal object counter args=independent
#pragma lineal op add = add1(key)
#pragma lineal op read = rd()
static atomic_int r;
void wr(int v) { r = v; }
int rd(void) { return r; }
int f1(int a) { return atomic_exchange(&r, a); }
int f2(int a, int b) { return atomic_compare_exchange_strong(&r, &a, b); }
void g2(int a, int b) { r = a + 100*b; }
void add1(int v) { r += v; }
int fo(int *o) { *o = r; return 1; }
static int s; int sp1(int a) { int x = s; s = a; return x; } int spo(int *o) { *o = s; return 1; }
