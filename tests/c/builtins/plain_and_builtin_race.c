//@ run: verify --memory sc
//@ expect: violated witness.kind=race
// An __atomic access on one side does not save a plain one on the other.
#include <pthread.h>

static int n;
static int seen;

static void *run(void *a) { (void)a; __atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST); return 0; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    seen = n;
    pthread_join(t, 0);
    return 0;
}
