//@ run: check --calls 2
//@ expect: violated witness.kind=result witness.calls=2
//@ from: a lock that a thread gets twice: clients of several calls per thread were not tried
#include <stdatomic.h>
#pragma lineal object try-lock
#pragma lineal op acquire = try_lock(thread)
#pragma lineal op release = unlock()
static atomic_int owner;
int try_lock(int thread) {
    int free = 0;
    if (atomic_load(&owner) == thread + 1) return 1;
    return atomic_compare_exchange_strong(&owner, &free, thread + 1);
}
void unlock(void) { atomic_store(&owner, 0); }
