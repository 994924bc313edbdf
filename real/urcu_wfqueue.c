//@ from: urcu/userspace-rcu 3849619a288b47677ff8260f02db490b4c4646a6
//@ set up: ./bootstrap && ./configure (for include/urcu/config.h)
//@ run: check --calls 4 -I @urcu/userspace-rcu/include -I @urcu/userspace-rcu/src --time-limit 60s
//@ expect: holds
/* Userspace RCU's older wait-free queue, of which a lock lets one thread dequeue at a time. */
#define CDS_WFQ_DEPRECATED
#include <urcu/wfqueue.h>
#include "wfqueue.c"
#include <stdlib.h>
static struct cds_wfq_queue q;
struct node { struct cds_wfq_node node; int value; };
#pragma lineal object queue args=independent
#pragma lineal init cds_wfq_init(&q)
#pragma lineal op enqueue = put(value)
#pragma lineal op dequeue = get() -> value, empty if result == -1
static void put(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    cds_wfq_node_init(&n->node);
    cds_wfq_enqueue(&q, &n->node);
}
static int get(void)
{
    struct cds_wfq_node *n = cds_wfq_dequeue_blocking(&q);
    return n ? caa_container_of(n, struct node, node)->value : -1;
}
