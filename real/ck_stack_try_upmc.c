//@ from: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8
//@ set up: ./configure --memory-model=rmo
//@ run: check --calls 4 -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --races ignore --time-limit 60s
//@ expect: holds
/* Concurrency Kit's stack for unordered producers, with the operations that give up when others are
   faster: they may fail. */
#include <ck_stack.h>
#include <stdlib.h>

struct node { ck_stack_entry_t entry; int value; };
static ck_stack_t stack;

#pragma lineal object stack args=independent
#pragma lineal init ck_stack_init(&stack)
#pragma lineal op push = push(value), full if !result, may fail
#pragma lineal op pop = pop() -> value, empty if result == -1, may fail

static bool push(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    return ck_stack_trypush_upmc(&stack, &n->entry);
}

static int pop(void)
{
    ck_stack_entry_t *e;
    return ck_stack_trypop_upmc(&stack, &e) ? ((struct node *)e)->value : -1;
}
