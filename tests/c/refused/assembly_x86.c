//@ run: verify
//@ expect: holds
//@ run: verify -D WIDE
//@ expect: unknown limit.at.line=57 limit.message="inline assembly with an operand of another size or type than the instruction says is not modelled"
//@ run: verify -D NARROW
//@ expect: unknown limit.at.line=59 limit.message="inline assembly with an operand of another size or type than the instruction says is not modelled"
//@ run: verify -D NO_SIZE
//@ expect: unknown limit.at.line=61 limit.message="inline assembly with an operand of another size or type than the instruction says is not modelled"
//@ run: verify -D CONSTANT
//@ expect: unknown limit.at.line=63 limit.message="inline assembly with an operand of another size or type than the instruction says is not modelled"
//@ run: verify -D MODIFIER
//@ expect: unknown limit.at.line=65 limit.message="the inline assembly `lock; addl %b1,%0` is not modelled"
//@ run: verify -D FLOAT
//@ expect: unknown limit.at.line=67 limit.message="inline assembly with an operand of another size or type than the instruction says is not modelled"
//@ run: verify -D BYTE
//@ expect: unknown limit.at.line=69 limit.message="inline assembly with an operand of another size or type than the instruction says is not modelled"
//@ run: verify -D UNLOCKED
//@ expect: unknown limit.at.line=71 limit.message="an instruction without `lock`, which is not atomic, in inline assembly is not modelled"
//@ run: verify -D CHANGES_INPUT
//@ expect: unknown limit.at.line=73 limit.message="inline assembly that changes an operand which it says it only reads is not modelled"
//@ run: verify -D CHANGES_MEMORY
//@ expect: unknown limit.at.line=75 limit.message="inline assembly that changes an operand which it says it only reads is not modelled"
//@ run: verify -D READS_OUTPUT
//@ expect: unknown limit.at.line=77 limit.message="inline assembly that reads what it says it only writes is not modelled"
//@ run: verify -D UNTOLD
//@ expect: unknown limit.at.line=79
//@ run: verify -D EARLY
//@ expect: unknown limit.at.line=81 limit.message="inline assembly that reads an input when it has written an output without `&` is not modelled"
//@ run: verify -D EARLY_FIXED
//@ expect: unknown limit.at.line=95 limit.message="inline assembly that reads an input when it has written an output without `&` is not modelled"
//@ run: verify -D UNWRITTEN
//@ expect: unknown limit.at.line=83 limit.message="inline assembly that does not write an output is not modelled"
//@ run: verify -D FENCE
//@ expect: unknown limit.at.line=85
//@ run: verify -D FLAG
//@ expect: unknown limit.at.line=87 limit.message="inline assembly that asks for a flag which no instruction has set is not modelled"
//@ run: verify -D IDLE
//@ expect: unknown limit.at.line=89 limit.message="inline assembly that is not `volatile`, so that the compiler may move it or leave it out, is not modelled"
//@ run: verify -D OCTAL
//@ expect: unknown limit.at.line=91 limit.message="the inline assembly `lock; addl $010,%0` is not modelled"
//@ run: verify -D PAIR
//@ expect: unknown limit.at.line=93 limit.message="the inline assembly `lock; cmpxchg8b %0` is not modelled"
//@ run: verify -D TRUTH
//@ expect: unknown limit.at.line=98 limit.message="inline assembly with an operand of another size or type than the instruction says is not modelled"
// What stands in inline assembly and is not exactly an atomic operation is refused where it is reached.

int x;
long l;
float f;
int main(void)
{
    int v = 1, w = 2;
    unsigned char b;
    static _Bool t = 1, u = 1;
    __asm__ volatile("lock; add %1,%0" : "+m"(x) : "r"(v) : "memory");
#ifdef WIDE
    __asm__ volatile("lock; add %1,%0" : "+m"(l) : "r"(v) : "memory");
#elif defined NARROW
    __asm__ volatile("lock; xadd %1,%0" : "+m"(x), "+r"(l)::"memory");
#elif defined NO_SIZE
    __asm__ volatile("lock; inc %0" : "+m"(l)::"memory");
#elif defined CONSTANT
    __asm__ volatile("lock; add %1,%0" : "+m"(l) : "ir"(1L) : "memory");
#elif defined MODIFIER
    __asm__ volatile("lock; addl %b1,%0" : "+m"(x) : "r"(v) : "memory");
#elif defined FLOAT
    __asm__ volatile("xchg %1,%0" : "+m"(f), "+r"(v)::"memory");
#elif defined BYTE
    __asm__ volatile("lock; decl %0; setz %b1" : "+m"(x), "=q"(v)::"memory");
#elif defined UNLOCKED
    __asm__ volatile("addl %1,%0" : "+m"(x) : "r"(v) : "memory");
#elif defined CHANGES_INPUT
    __asm__ volatile("lock; cmpxchg %2,%0; setz %1" : "+m"(x), "=q"(b) : "r"(v), "a"(w) : "memory");
#elif defined CHANGES_MEMORY
    __asm__ volatile("lock; add %1,%0" ::"m"(x), "r"(v));
#elif defined READS_OUTPUT
    __asm__ volatile("lock; add %1,%0" : "=m"(x) : "r"(v));
#elif defined UNTOLD
    __asm__ volatile("lock; addl %1,(%0)" ::"r"(&x), "r"(v));
#elif defined EARLY
    __asm__ volatile("movl %1,%0; lock; addl %2,%1" : "=r"(v), "+m"(x) : "r"(w) : "memory");
#elif defined UNWRITTEN
    __asm__ volatile("lock; incl %0" : "+m"(x), "=r"(v)::"memory");
#elif defined FENCE
    __asm__ volatile("mfence");
#elif defined FLAG
    __asm__ volatile("xchg %1,%0; setz %2" : "+m"(x), "+r"(v), "=q"(b)::"memory");
#elif defined IDLE
    __asm__("movl %1,%0" : "=r"(v) : "m"(x) : "memory");
#elif defined OCTAL
    __asm__ volatile("lock; addl $010,%0" : "+m"(x)::"memory");
#elif defined PAIR
    __asm__ volatile("lock; cmpxchg8b %0" : "+m"(l)::"memory");
#elif defined EARLY_FIXED
    __asm__ volatile("movl %1,%0; lock; addl %2,%1" : "=r"(v), "+m"(x) : "c"(w) : "memory");
#endif
#ifdef TRUTH
    __asm__ volatile("lock; add %1,%0" : "+m"(t) : "q"(u) : "memory");
#endif
    return v + w == 7;
}
