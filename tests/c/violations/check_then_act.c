//@ run: verify --memory sc
//@ expect: violated witness.kind=assertion
// Two threads find the seat free and both take it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken, passengers;

static void *board(void *x)
{
    (void)x;
    if (!taken) {
        taken = 1;
        passengers++;
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, board, 0);
    pthread_create(&b, 0, board, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(passengers == 1);
    return 0;
}
