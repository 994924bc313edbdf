//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=7
// Reached by the second thread, through a pointer, in one of two branches.
#include <pthread.h>
#include <stdatomic.h>

static void bad(void) { __asm__ volatile("cpuid" ::: "eax", "ebx", "ecx", "edx"); }
static void good(void) {}
static void (*_Atomic f)(void) = good;

static void *thread(void *unused)
{
    (void)unused;
    atomic_load(&f)();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    atomic_store(&f, bad);
    pthread_join(t, 0);
    return 0;
}
