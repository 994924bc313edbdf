//@ run: verify --memory sc
//@ expect: holds
// Two locks always taken in one order: no deadlock, and the sum is kept.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int balance[2] = { 10, 10 };

static void move_(int from, int to, int n)
{
    pthread_mutex_lock(&lock[0]);
    pthread_mutex_lock(&lock[1]);
    balance[from] -= n;
    balance[to] += n;
    pthread_mutex_unlock(&lock[1]);
    pthread_mutex_unlock(&lock[0]);
}

static void *left(void *a) { (void)a; move_(0, 1, 3); return 0; }
static void *right(void *a) { (void)a; move_(1, 0, 4); return 0; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_mutex_lock(&lock[0]);
    pthread_mutex_lock(&lock[1]);
    assert(balance[0] + balance[1] == 20);
    pthread_mutex_unlock(&lock[0]);
    pthread_mutex_unlock(&lock[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(balance[0] == 11);
    return 0;
}
