//@ from: urcu/userspace-rcu 3849619a288b47677ff8260f02db490b4c4646a6
//@ set up: ./bootstrap && ./configure (for include/urcu/config.h)
//@ run: check --calls 4 -I @urcu/userspace-rcu/include -I @urcu/userspace-rcu/src --time-limit 60s
//@ expect: holds
/* Userspace RCU's lock-free stack. */
#include <urcu/lfstack.h>
#include "lfstack.c"
#include <stdlib.h>
static struct cds_lfs_stack s;
struct node { struct cds_lfs_node node; int value; };
#pragma lineal object stack args=independent
#pragma lineal init cds_lfs_init(&s)
#pragma lineal op push = push(value)
#pragma lineal op pop = pop() -> value, empty if result == -1
static void push(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    cds_lfs_node_init(&n->node);
    cds_lfs_push(&s, &n->node);
}
static int pop(void)
{
    struct cds_lfs_node *n = cds_lfs_pop_blocking(&s);
    return n ? caa_container_of(n, struct node, node)->value : -1;
}
