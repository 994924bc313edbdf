//@ run: verify --memory sc
//@ expect: violated witness.kind=assertion
//@ run: verify --memory tso
//@ expect: violated witness.kind=assertion
//@ run: verify --memory rc11
//@ expect: violated witness.kind=assertion
// The failing thread has no event of its own: only its creation leads there.
#include <assert.h>
#include <pthread.h>

static void *fails(void *a)
{
    assert(a != 0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, fails, 0);
    pthread_join(t, 0);
    return 0;
}
