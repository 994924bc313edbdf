//@ from: LPD-EPFL/ASCYLIB 3c2d1a231eac3518a4167d7d4a709cb22a3cff6b
//@ run: check --calls 4 -I @LPD-EPFL/ASCYLIB/include -I @LPD-EPFL/ASCYLIB/external/include -I @LPD-EPFL/ASCYLIB/src/atomic_ops -I @LPD-EPFL/ASCYLIB/src/queue-ms_lf -DDEFAULT -DCORE_NUM=4 -DCORE_SPEED=1 -DGC=0 -DSSMEM_TRANSPARENT_HUGE_PAGES=0 --time-limit 60s
//@ expect: violated
//@ run: check --calls 4 -I @LPD-EPFL/ASCYLIB/include -I @LPD-EPFL/ASCYLIB/external/include -I @LPD-EPFL/ASCYLIB/src/atomic_ops -I @LPD-EPFL/ASCYLIB/src/queue-ms_lf -DDEFAULT -DCORE_NUM=4 -DCORE_SPEED=1 -DGC=0 -DSSMEM_TRANSPARENT_HUGE_PAGES=0 --races ignore --memory tso --time-limit 60s
//@ expect: violated
//@ run: check --calls 4 -I @LPD-EPFL/ASCYLIB/include -I @LPD-EPFL/ASCYLIB/external/include -I @LPD-EPFL/ASCYLIB/src/atomic_ops -I @LPD-EPFL/ASCYLIB/src/queue-ms_lf -DDEFAULT -DCORE_NUM=4 -DCORE_SPEED=1 -DGC=0 -DSSMEM_TRANSPARENT_HUGE_PAGES=0 -DNO_BACK_OFF --races ignore --memory tso --time-limit 60s
//@ expect: holds
/* ASCYLIB's Michael-Scott queue; nodes come from malloc, and are not freed. */
#ifdef NO_BACK_OFF /* which counts from whatever is in a variable, and asks for time stamps */
#include "utils.h"
#undef DO_PAUSE
#define DO_PAUSE()
#endif
#include "queue-ms.c"
__thread unsigned long *seeds;
__thread ssmem_allocator_t *alloc;
static queue_t queue;
queue_node_t *queue_new_node(skey_t key, sval_t val, queue_node_t *next)
{
    queue_node_t *node = malloc(sizeof *node);
    node->key = key;
    node->val = val;
    node->next = next;
    return node;
}
#pragma lineal object queue args=independent
#pragma lineal init set_up()
#pragma lineal op enqueue = put(value)
#pragma lineal op dequeue = get() -> value, empty if result == -1
static void set_up(void) { queue.head = queue.tail = queue_new_node(0, 0, NULL); }
static void put(long value) { queue_ms_insert(&queue, value, (sval_t)(value + 1)); }
static long get(void) { return (long)queue_ms_delete(&queue) - 1; }
