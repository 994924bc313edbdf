//@ from: urcu/userspace-rcu 3849619a288b47677ff8260f02db490b4c4646a6
//@ set up: ./bootstrap && ./configure (for include/urcu/config.h)
//@ run: check --calls 4 -I @urcu/userspace-rcu/include -I @urcu/userspace-rcu/src --time-limit 60s
//@ expect: holds
/* Userspace RCU's wait-free concurrent queue. */
#include <urcu/wfcqueue.h>
#include "wfcqueue.c"
#include <stdlib.h>
static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
struct node { struct cds_wfcq_node node; int value; };
#pragma lineal object queue args=independent
#pragma lineal init cds_wfcq_init(&head, &tail)
#pragma lineal op enqueue = put(value)
#pragma lineal op dequeue = get() -> value, empty if result == -1
static void put(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    cds_wfcq_node_init(&n->node);
    cds_wfcq_enqueue(&head, &tail, &n->node);
}
static int get(void)
{
    struct cds_wfcq_node *n = cds_wfcq_dequeue_blocking(&head, &tail);
    return n ? caa_container_of(n, struct node, node)->value : -1;
}
