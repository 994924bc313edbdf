//@ run: verify --memory sc
//@ expect: holds stats.executions=1
//@ run: verify --memory rc11
//@ expect: holds stats.executions=1
//@ run: verify --memory sc -D WRONG_SIZE
//@ expect: unknown
// Atomic operations of x86 as headers write them, each by what it leaves behind; `cc -O0` agrees (an
// optimiser may forget what was in a local variable of its own that is told to be written only, as in `cas`).
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
    __asm__ __volatile__("lock cmpxchgq %3, %0; setz %1" : "+m"(*p), "=q"(done), "+a"(t) : "r"(s) : "memory", "cc");
    return done;
}

static _Bool cas_in_its_register(long *p, long t, long s)
{
    _Bool done;
    __asm__ __volatile__("lock cmpxchg %2, %0; setz %1" : "+m"(*p), "=a"(done) : "q"(s), "a"(t) : "memory", "cc");
    return done;
}

static _Bool cas_flag(void **p, void *t, void *s, void **old)
{
    _Bool done;
    __asm__ __volatile__("lock cmpxchgq %3, %0"
                         : "+m"(*(unsigned long *)p), "=@ccz"(done), "+a"(t)
                         : "q"(s)
                         : "memory", "cc");
    *old = t;
    return done;
}

static _Bool down(int *p)
{
    unsigned char zero;
    __asm__ __volatile__("lock; decl %0; sete %1" : "+m"(*p), "=qm"(zero)::"memory");
    return zero;
}

static int add_flag(long *p, long v)
{
    int left;
    __asm__ __volatile__("lock; addq %2,%0" : "+m"(*p), "=@ccnz"(left) : "er"(v) : "memory");
    return left;
}

/* The memory is told to the compiler as a record. */
typedef struct { char bytes[8]; } eight;
static unsigned long add_to_record(void *p, unsigned long v)
{
    __asm__ __volatile__("lock; xaddq %1, %0" : "+m"(*(eight *)p), "+r"(v)::"memory");
    return v;
}

/* An output that a later instruction reads has the value it got. */
static int swap_twice(int *p, int *q, int v)
{
    int old;
    __asm__ __volatile__("xchg %0,%1; xchg %0,%2" : "=&r"(old), "+m"(*p), "+m"(*q) : "0"(v) : "memory");
    return old;
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
    assert(!cas_in_its_register(&l, 4, 9) && l == 5);
    assert(cas_in_its_register(&l, 5, 6) && l == 6);
    assert(add_flag(&l, -5) && l == 1);
    assert(!add_flag(&l, -1) && l == 0);
    assert(add_to_record(&l, 1L << 33) == 0 && l == 1L << 33);
    void *pointer = &x, *found;
    assert(!cas_flag(&pointer, &l, 0, &found) && found == &x && pointer == &x);
    assert(cas_flag(&pointer, &x, &l, &found) && found == &x && pointer == &l);
    int two = 2, y = 20;
    assert(!down(&two) && down(&two) && two == 0);
    assert(swap_twice(&two, &y, 7) == 20 && two == 7 && y == 0);
    /* A cast as an output, which GCC lets pass. */
    __asm__ __volatile__("lock; xaddl %0,%1" : "+r"((unsigned)two), "+m"(y)::"memory");
    assert(two == 0 && y == 7);
    /* Each operand is evaluated once. */
    int a[3] = {1, 2, 3}, i = 0, j = 0;
    __asm__ __volatile__("lock; xaddl %0,%1" : "+r"(a[i++]), "+m"(a[2 - j++])::"memory");
    assert(i == 1 && j == 1 && a[0] == 3 && a[1] == 2 && a[2] == 4);
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
    __asm__ __volatile__("lock; notl %0" : "+m"(x)::"memory");
    assert(x == ~0x100);
    unsigned char byte = 200;
    __asm__ __volatile__("lock; addb %b1,%0" : "+m"(byte) : "q"(0x1064) : "memory");
    assert(byte == 44);
#ifdef WRONG_SIZE
    __asm__ __volatile__("lock incq %0" : "+m"(x)::"memory");
#endif
    store(&x, 11);
    assert(load(&x) == 11);
    return 0;
}
