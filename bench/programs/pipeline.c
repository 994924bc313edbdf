// What fences between calls of different objects cost: producers hand numbers to intermediaries through rings for
// one producer and one consumer, those to consumers through a ring for any number, and consumers keep them on a
// stack. With -DFENCES there is a seq_cst fence wherever a thread goes from one object to another, which is what
// `lineal robust --libraries` asks for. Prints nanoseconds for each number.
//   cc -O2 -pthread [-DFENCES] [-DWORK=100] bench/programs/pipeline.c && ./a.out PAIRS NUMBERS
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef FENCES
#define BETWEEN_OBJECTS() atomic_thread_fence(memory_order_seq_cst)
#else
#define BETWEEN_OBJECTS() ((void)0)
#endif
#ifndef WORK
#define WORK 0
#endif
#define LOAD(x, mode) atomic_load_explicit(&(x), memory_order_##mode)
#define STORE(x, v, mode) atomic_store_explicit(&(x), v, memory_order_##mode)

// One producer, one consumer.
#define ROOM 256
struct spsc {
    _Alignas(64) atomic_size_t head;
    _Alignas(64) atomic_size_t tail;
    _Alignas(64) long slots[ROOM];
};

static int spsc_put(struct spsc *q, long v)
{
    size_t tail = LOAD(q->tail, relaxed);
    if (tail - LOAD(q->head, acquire) == ROOM)
        return 0;
    q->slots[tail % ROOM] = v;
    STORE(q->tail, tail + 1, release);
    return 1;
}

static long spsc_get(struct spsc *q)
{
    size_t head = LOAD(q->head, relaxed);
    if (head == LOAD(q->tail, acquire))
        return -1;
    long v = q->slots[head % ROOM];
    STORE(q->head, head + 1, release);
    return v;
}

// Any number of both: each slot says whose turn it is.
struct slot {
    atomic_size_t turn;
    long v;
};
static struct mpmc {
    _Alignas(64) atomic_size_t in;
    _Alignas(64) atomic_size_t out;
    _Alignas(64) struct slot slots[ROOM];
} ring;

static int mpmc_put(struct mpmc *q, long v)
{
    size_t place = LOAD(q->in, relaxed);
    for (;;) {
        struct slot *s = &q->slots[place % ROOM];
        size_t turn = LOAD(s->turn, acquire);
        if (turn == place) {
            if (atomic_compare_exchange_weak_explicit(&q->in, &place, place + 1, memory_order_relaxed,
                                                      memory_order_relaxed)) {
                s->v = v;
                STORE(s->turn, place + 1, release);
                return 1;
            }
        } else if (turn < place) {
            return 0;
        } else {
            place = LOAD(q->in, relaxed);
        }
    }
}

static long mpmc_get(struct mpmc *q)
{
    size_t place = LOAD(q->out, relaxed);
    for (;;) {
        struct slot *s = &q->slots[place % ROOM];
        size_t turn = LOAD(s->turn, acquire);
        if (turn == place + 1) {
            if (atomic_compare_exchange_weak_explicit(&q->out, &place, place + 1, memory_order_relaxed,
                                                      memory_order_relaxed)) {
                long v = s->v;
                STORE(s->turn, place + ROOM, release);
                return v;
            }
        } else if (turn < place + 1) {
            return -1;
        } else {
            place = LOAD(q->out, relaxed);
        }
    }
}

// Nodes are never freed while it runs.
struct node {
    struct node *_Atomic next;
    long v;
};
static _Alignas(64) struct node *_Atomic top;

static void push(struct node *n)
{
    struct node *old = LOAD(top, relaxed);
    do
        STORE(n->next, old, relaxed);
    while (!atomic_compare_exchange_weak_explicit(&top, &old, n, memory_order_release, memory_order_relaxed));
}

static long pairs, numbers;
static struct spsc *lanes;
static struct node *nodes;
static atomic_long made, kept;

static void work(long v)
{
    for (int i = 0; i < WORK; i++)
        __asm__ volatile("" : "+r"(v));
}

static void *produce(void *lane)
{
    long v;
    while ((v = atomic_fetch_add_explicit(&made, 1, memory_order_relaxed)) < numbers) {
        BETWEEN_OBJECTS();
        work(v);
        while (!spsc_put(lane, v))
            sched_yield();
        BETWEEN_OBJECTS();
    }
    while (!spsc_put(lane, -2))
        sched_yield();
    return 0;
}

static void *forward(void *lane)
{
    for (;;) {
        long v = spsc_get(lane);
        if (v == -1) {
            sched_yield();
            continue;
        }
        if (v == -2)
            return 0;
        BETWEEN_OBJECTS();
        work(v);
        while (!mpmc_put(&ring, v))
            sched_yield();
        BETWEEN_OBJECTS();
    }
}

static void *consume(void *unused)
{
    while (LOAD(kept, relaxed) < numbers) {
        BETWEEN_OBJECTS();
        long v = mpmc_get(&ring);
        BETWEEN_OBJECTS();
        if (v == -1) {
            sched_yield();
            continue;
        }
        work(v);
        nodes[v].v = v;
        push(&nodes[v]);
        BETWEEN_OBJECTS();
        atomic_fetch_add_explicit(&kept, 1, memory_order_relaxed);
    }
    return unused;
}

int main(int count, char **words)
{
    pairs = count > 1 ? atol(words[1]) : 1;
    numbers = count > 2 ? atol(words[2]) : 1000000;
    lanes = aligned_alloc(64, pairs * sizeof *lanes);
    nodes = calloc(numbers, sizeof *nodes);
    pthread_t *threads = calloc(3 * pairs, sizeof *threads);
    for (long i = 0; i < pairs; i++)
        lanes[i] = (struct spsc){0};
    for (size_t i = 0; i < ROOM; i++)
        ring.slots[i].turn = i;
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (long i = 0; i < pairs; i++) {
        pthread_create(&threads[3 * i], 0, produce, &lanes[i]);
        pthread_create(&threads[3 * i + 1], 0, forward, &lanes[i]);
        pthread_create(&threads[3 * i + 2], 0, consume, 0);
    }
    for (long i = 0; i < 3 * pairs; i++)
        pthread_join(threads[i], 0);
    clock_gettime(CLOCK_MONOTONIC, &to);
    long long sum = 0;
    for (struct node *n = top; n; n = n->next)
        sum += n->v;
    if (sum != (long long)numbers * (numbers - 1) / 2)
        return puts("numbers were lost"), 1;
    printf("%.1f\n", ((to.tv_sec - from.tv_sec) * 1e9 + (to.tv_nsec - from.tv_nsec)) / numbers);
}
