//@ run: verify --memory sc
//@ expect: holds stats.executions=1
//@ run: verify --memory rc11
//@ expect: holds stats.executions=1
//@ run: verify --memory sc -D WRONG_SIZE
//@ expect: unknown
// Atomic operations of x86 as headers write them, each by what it leaves behind; `cc` agrees.
#include <assert.h>

static int cas(volatile int *p, int t, int s)
{
    __asm__ __volatile__("lock ; cmpxchg %3, %1" : "=a"(t), "=m"(*p) : "a"(t), "r"(s) : "memory");
    return t;
}

static int cas_tied(int *p, int t, int s)
{
    int old;
    __asm__ __volatile__("lock\n\tcmpxchgl %2,%1" : "=a"(old), "+m"(*p) : "r"(s), "0"(t) : "memory", "cc");
    return old;
}

static _Bool cas_told(long *p, long t, long s)
{
    _Bool done;
    __asm__ __volatile__("lock cmpxchgq %3, %0; setz %1" : "+m"(*p), "=q"(done) : "a"(t), "r"(s) : "memory", "cc");
    return done;
}

static _Bool cas_both(unsigned *p, unsigned *t, unsigned s)
{
    _Bool done;
    unsigned old = *t;
    __asm__ __volatile__("lock; cmpxchgl %[new], %[at]\n\tsete %[done]"
                         : [at] "+m"(*p), [done] "=q"(done), "+a"(old)
                         : [new] "r"(s)
                         : "memory", "cc");
    *t = old;
    return done;
}

static int swap(volatile int *p, int v)
{
    __asm__ __volatile__("xchg %0, %1" : "=r"(v), "=m"(*p) : "0"(v) : "memory");
    return v;
}

static void *swap_pointer(void **p, void *v)
{
    __asm__ __volatile__("xchgq %0,%1" : "+r"(v), "+m"(*p)::"memory");
    return v;
}

static int fetch_add(volatile int *p, int v)
{
    __asm__ __volatile__("lock ; xadd %0, %1" : "=r"(v), "=m"(*p) : "0"(v) : "memory");
    return v;
}

static unsigned fetch_add_through(unsigned *p, unsigned v)
{
    __asm__ __volatile__("lock; xaddl %0, (%1)" : "+r"(v) : "r"(p) : "memory", "cc");
    return v;
}

static void store(volatile int *p, int x)
{
    __asm__ __volatile__("mov %1, %0 ; lock ; orl $0,(%%rsp)" : "=m"(*p) : "r"(x) : "memory");
}

static int load(int *p)
{
    int v;
    __asm__ __volatile__("movl %1, %0" : "=r"(v) : "m"(*p) : "memory");
    return v;
}

int main(void)
{
    int x = 3;
    assert(cas(&x, 2, 7) == 3 && x == 3);
    assert(cas(&x, 3, 7) == 3 && x == 7);
    assert(cas_tied(&x, 7, 8) == 7 && x == 8);
    assert(cas_tied(&x, 7, 9) == 8 && x == 8);
    long l = 1L << 40;
    assert(!cas_told(&l, 0, 5) && l == 1L << 40);
    assert(cas_told(&l, 1L << 40, 5) && l == 5);
    unsigned u = 4, seen = 3;
    assert(!cas_both(&u, &seen, 6) && seen == 4 && u == 4);
    assert(cas_both(&u, &seen, 6) && seen == 4 && u == 6);
    assert(swap(&x, 2) == 8 && x == 2);
    void *q = &x;
    assert(swap_pointer(&q, &l) == &x && q == &l);
    assert(fetch_add(&x, -5) == 2 && x == -3);
    assert(fetch_add_through(&u, 10) == 6 && u == 16);
    __asm__ __volatile__("lock ; inc %0" : "=m"(x) : "m"(x) : "memory");
    assert(x == -2);
    __asm__ __volatile__("lock; decl %0" : "+m"(x)::"memory", "cc");
    assert(x == -3);
    __asm__ __volatile__("lock ; and %1, %0" : "=m"(x) : "r"(0xff) : "memory");
    assert(x == 0xfd);
    __asm__ __volatile__("lock orl $2,%0" : "+m"(x)::"memory");
    assert(x == 0xff);
    __asm__ __volatile__("lock; addl %1,%0" : "+m"(x) : "ir"(1) : "memory");
    assert(x == 0x100);
#ifdef WRONG_SIZE
    __asm__ __volatile__("lock incq %0" : "+m"(x)::"memory");
#endif
    store(&x, 11);
    assert(load(&x) == 11);
    return 0;
}
