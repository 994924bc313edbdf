//@ from: LPD-EPFL/ASCYLIB 3c2d1a231eac3518a4167d7d4a709cb22a3cff6b
//@ run: check --calls 4 -I @LPD-EPFL/ASCYLIB/include -I @LPD-EPFL/ASCYLIB/external/include -I @LPD-EPFL/ASCYLIB/src/atomic_ops -I @LPD-EPFL/ASCYLIB/src/stack-treiber -DDEFAULT -DCORE_NUM=4 -DCORE_SPEED=1 -DGC=0 -DSSMEM_TRANSPARENT_HUGE_PAGES=0 --time-limit 60s
//@ expect: violated
//@ run: check --calls 4 -I @LPD-EPFL/ASCYLIB/include -I @LPD-EPFL/ASCYLIB/external/include -I @LPD-EPFL/ASCYLIB/src/atomic_ops -I @LPD-EPFL/ASCYLIB/src/stack-treiber -DDEFAULT -DCORE_NUM=4 -DCORE_SPEED=1 -DGC=0 -DSSMEM_TRANSPARENT_HUGE_PAGES=0 --races ignore --memory tso --time-limit 60s
//@ expect: violated
//@ run: check --calls 4 -I @LPD-EPFL/ASCYLIB/include -I @LPD-EPFL/ASCYLIB/external/include -I @LPD-EPFL/ASCYLIB/src/atomic_ops -I @LPD-EPFL/ASCYLIB/src/stack-treiber -DDEFAULT -DCORE_NUM=4 -DCORE_SPEED=1 -DGC=0 -DSSMEM_TRANSPARENT_HUGE_PAGES=0 -DNO_BACK_OFF --races ignore --memory tso --time-limit 60s
//@ expect: holds
/* ASCYLIB's Treiber stack; nodes come from malloc, and are not freed. */
#ifdef NO_BACK_OFF /* which counts from whatever is in a variable, and asks for time stamps */
#include "utils.h"
#undef DO_PAUSE
#define DO_PAUSE()
#endif
#include "stack-treiber.c"
__thread unsigned long *seeds;
__thread ssmem_allocator_t *alloc;
static mstack_t stack;
mstack_node_t *mstack_new_node(skey_t key, sval_t val, mstack_node_t *next)
{
    mstack_node_t *node = malloc(sizeof *node);
    node->key = key;
    node->val = val;
    node->next = next;
    return node;
}
#pragma lineal object stack args=independent
#pragma lineal op push = push(value)
#pragma lineal op pop = pop() -> value, empty if result == -1
static void push(long value) { mstack_treiber_insert(&stack, value, (sval_t)(value + 1)); }
static long pop(void) { return (long)mstack_treiber_delete(&stack) - 1; }
