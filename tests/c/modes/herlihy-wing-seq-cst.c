// Herlihy and Wing's queue with every access seq_cst, by GCC's builtins:
// examples/queue/herlihy-wing.c has the orders that its author chose.
//@ run: check --weaken --calls 4
//@ expect: holds  rewrite.goal=weaken  rewrite.minimal=true  rewrite.verified=true
#pragma lineal object queue level=R args=independent
#pragma lineal init queue_init(&queue)
#pragma lineal op enqueue = queue_enqueue(&queue, value)
#pragma lineal op dequeue = queue_dequeue(&queue) -> value

enum { SLOTS = 10 };

struct queue {
    int back;
    int slot[SLOTS]; /* 0: nothing there, yet or any more */
};

struct queue queue;

/* All zero to begin with. */
void queue_init(struct queue *q)
{
    (void)q;
}

/* Any value but 0; at most SLOTS calls. */
void queue_enqueue(struct queue *q, int value)
{
    int i = __atomic_fetch_add(&q->back, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&q->slot[i], value, __ATOMIC_SEQ_CST);
}

/* Waits until there is an element. */
int queue_dequeue(struct queue *q)
{
    for (;;) {
        int back = __atomic_load_n(&q->back, __ATOMIC_SEQ_CST);
        for (int i = 0; i < back; i++) {
            if (__atomic_load_n(&q->slot[i], __ATOMIC_SEQ_CST) == 0)
                continue;
            int value = __atomic_exchange_n(&q->slot[i], 0, __ATOMIC_SEQ_CST);
            if (value != 0)
                return value;
        }
    }
}
