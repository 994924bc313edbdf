//@ run: verify --memory sc
//@ expect: violated witness.kind=division-by-zero
// Unsigned remainder by a size another thread has not set yet.
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint size;

static void *run(void *a) { (void)a; size = 8; return 0; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    unsigned slot = 13u % size;
    pthread_join(t, 0);
    return slot == 5;
}
