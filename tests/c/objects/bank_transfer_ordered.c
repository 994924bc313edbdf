//@ run: verify --memory sc
//@ expect: holds
// The same with the locks taken in the order of their addresses.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

struct account { pthread_mutex_t m; int balance; };
static struct account acc[2] = { { PTHREAD_MUTEX_INITIALIZER, 10 }, { PTHREAD_MUTEX_INITIALIZER, 10 } };

static void transfer(struct account *from, struct account *to, int n)
{
    struct account *low = from < to ? from : to, *high = from < to ? to : from;
    pthread_mutex_lock(&low->m);
    pthread_mutex_lock(&high->m);
    from->balance -= n;
    to->balance += n;
    pthread_mutex_unlock(&high->m);
    pthread_mutex_unlock(&low->m);
}

static void *there(void *x) { (void)x; transfer(&acc[0], &acc[1], 1); return 0; }
static void *back(void *x) { (void)x; transfer(&acc[1], &acc[0], 2); return 0; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, there, 0);
    pthread_create(&b, 0, back, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(acc[0].balance == 11 && acc[1].balance == 9);
    return 0;
}
