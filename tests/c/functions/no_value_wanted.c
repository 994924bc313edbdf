//@ run: verify
//@ expect: holds
// A missing value is no error while nobody uses it: threads, callbacks and statements.
#include <assert.h>
#include <pthread.h>

static int count;

static int bump(int x) { count += x; if (x > 1) return count; }
static void *work(void *x) { (void)x; count++; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    for (int i = 0; i < 3; bump(1), i++)
        bump(0);
    ({ bump(1); });
    (void)(1 ? bump(1) : 0);
    assert(count == 6);
    assert(bump(2) == 8);
}
