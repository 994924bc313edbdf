//@ run: verify --memory sc
//@ expect: holds stats.executions=1
// Barriers for the compiler, hints and fences; an empty template computes nothing.
#include <assert.h>

#define barrier() __asm__ __volatile__("" ::: "memory")
#define hide(p) ({ __typeof__(p) q; __asm__("" : "=r"(q) : "0"(p)); q; })
#define keep(x) __asm__ volatile("" : : "r,m"(x) : "memory")

int main(void)
{
    int x = 3, *p = &x;
    barrier();
    __asm__("" : "+r"(x));
    __asm__("" : [out] "=r"(x) : "[out]"(x + 1));
    __asm__ volatile("" : "+m"(x));
    keep(x);
    __asm__ volatile("pause");
    __asm__ volatile("rep; nop" ::: "memory");
    __asm__ volatile("mfence" ::: "memory");
    __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
    __asm__ volatile("sfence" ::: "memory");
    __asm__ volatile("lfence" ::: "memory");
    assert(*hide(p) == 4);
    return 0;
}
