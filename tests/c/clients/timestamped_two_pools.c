//@ run: verify --memory rc11
//@ expect: violated witness.kind=assertion
//@ run: verify --memory sc
//@ expect: holds
// The client of timestamped.c with one pool for each thread, as the stack is meant to be used.
#include "../../../examples/stack/timestamped.c"
#include <assert.h>
#include <pthread.h>

static int a, b;

static void *thread1(void *arg)
{
    (void)arg;
    stack_push(&stack, 0, 1);
    a = stack_pop(&stack);
    return NULL;
}

static void *thread2(void *arg)
{
    (void)arg;
    stack_push(&stack, 1, 2);
    stack_push(&stack, 1, 3);
    b = stack_pop(&stack);
    return NULL;
}

int main(void)
{
    stack_init(&stack);
    pthread_t t[2];
    pthread_create(&t[0], NULL, thread1, NULL);
    pthread_create(&t[1], NULL, thread2, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(!(a == 2 && b == 1));
    return 0;
}
