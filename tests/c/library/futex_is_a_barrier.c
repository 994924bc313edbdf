//@ run: verify
//@ expect: holds
//@ run: verify -D WITHOUT
//@ expect: violated witness.kind=assertion
// A call of futex is a full barrier also where it finds another word and comes back at once.
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int x, y, word;
static int a, b;

static void call(void) {
#ifndef WITHOUT
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 7, 0, 0, 0);
#endif
}

static void *left(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    call();
    a = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}

static void *right(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    call();
    b = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, 0, left, 0);
    pthread_create(&r, 0, right, 0);
    pthread_join(l, 0);
    pthread_join(r, 0);
    assert(a || b);
}
