//@ run: verify --memory sc
//@ expect: holds
// Additions, subtractions and exclusive ors from three threads commute.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n = 100;
static atomic_uint bits;

static void *up(void *a) { (void)a; atomic_fetch_add(&n, 7); atomic_fetch_or(&bits, 1); return 0; }
static void *down(void *a) { (void)a; n -= 5; atomic_fetch_or(&bits, 2); return 0; }
static void *flip(void *a) { (void)a; --n; atomic_fetch_xor(&bits, 4); return 0; }

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, up, 0);
    pthread_create(&t[1], 0, down, 0);
    pthread_create(&t[2], 0, flip, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(n == 101 && bits == 7);
    return 0;
}
