//@ from: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8
//@ set up: ./configure --memory-model=rmo
//@ run: check --calls 4 -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --time-limit 60s
//@ expect: violated
//@ run: check --calls 4 -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --races ignore --time-limit 60s
//@ expect: holds
//@ run: check --calls 4 -I @concurrencykit/ck/include --volatile relaxed --time-limit 60s
//@ expect: holds
/* Concurrency Kit's stack for unordered producers, as its name says (upmc). */
#define UPMC
#include <ck_stack.h>
#include <stdlib.h>

struct node { ck_stack_entry_t entry; int value; };
static ck_stack_t stack;

#pragma lineal object stack args=independent
#pragma lineal init ck_stack_init(&stack)
#pragma lineal op push = push(value)
#pragma lineal op pop = pop() -> value, empty if result == -1

static void push(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
#ifdef UPMC
    ck_stack_push_upmc(&stack, &n->entry);
#else
    ck_stack_push_mpmc(&stack, &n->entry);
#endif
}

static int pop(void)
{
#ifdef UPMC
    ck_stack_entry_t *e = ck_stack_pop_upmc(&stack);
#else
    ck_stack_entry_t *e = ck_stack_pop_mpmc(&stack);
#endif
    return e ? ((struct node *)e)->value : -1;
}
