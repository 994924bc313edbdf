//@ run: verify --memory sc
//@ expect: violated witness.kind=deadlock
// A transfer locks "from" and then "to": two opposite transfers can block each other.
#include <pthread.h>

struct account { pthread_mutex_t m; int balance; };
static struct account acc[2] = { { PTHREAD_MUTEX_INITIALIZER, 10 }, { PTHREAD_MUTEX_INITIALIZER, 10 } };

static void transfer(struct account *from, struct account *to, int n)
{
    pthread_mutex_lock(&from->m);
    pthread_mutex_lock(&to->m);
    from->balance -= n;
    to->balance += n;
    pthread_mutex_unlock(&to->m);
    pthread_mutex_unlock(&from->m);
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
    return 0;
}
