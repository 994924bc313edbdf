//@ run: verify --memory rc11
//@ expect: holds
//@ run: verify --memory rc11 -D UNTOLD
//@ expect: violated witness.kind=assertion
//@ run: verify --memory tso -D UNTOLD
//@ expect: holds
//@ run: verify --memory rc11 -D MOVES
//@ expect: holds
//@ run: verify --memory rc11 -D MOVES -D UNTOLD
//@ expect: violated witness.kind=assertion
// A locked instruction is a barrier for the processor. For the compiler it is one only with "memory" among the
// clobbers: without it, other accesses may be moved across. `lock` is not needed for `xchg`.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef UNTOLD
#define TOLD
#else
#define TOLD : "memory"
#endif

static atomic_int data;
static int flag;

static void raise_flag(void)
{
    int one = 1;
#ifdef MOVES
    __asm__ volatile("movl %1,%0" : "=m"(flag) : "r"(one) TOLD);
#else
    __asm__ volatile("xchg %1,%0" : "+m"(flag), "+r"(one) : TOLD);
#endif
}

static int look(void)
{
    int v = 0;
#ifdef MOVES
    __asm__ volatile("movl %1,%0" : "=r"(v) : "m"(flag) TOLD);
#else
    __asm__ volatile("lock; xaddl %1,%0" : "+m"(flag), "+r"(v) : TOLD);
#endif
    return v;
}

static void *writer(void *p)
{
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    raise_flag();
    return p;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    if (look())
        assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
    pthread_join(t, 0);
    return 0;
}
