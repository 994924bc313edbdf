//@ run: verify --memory sc
//@ expect: holds
// Mutexes made at run time: on the heap, in an array, destroyed and made again.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account { pthread_mutex_t m; int balance; };

static struct account *acc;

static void *deposit(void *arg)
{
    struct account *a = &acc[(long)arg];
    pthread_mutex_lock(&a->m);
    a->balance += 5;
    pthread_mutex_unlock(&a->m);
    return 0;
}

int main(void)
{
    acc = calloc(2, sizeof *acc);
    for (int i = 0; i < 2; i++)
        assert(pthread_mutex_init(&acc[i].m, NULL) == 0);
    pthread_t a, b;
    pthread_create(&a, 0, deposit, (void *)0);
    pthread_create(&b, 0, deposit, (void *)1);
    pthread_mutex_lock(&acc[0].m);
    acc[0].balance++;
    pthread_mutex_unlock(&acc[0].m);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(acc[0].balance == 6 && acc[1].balance == 5);
    assert(pthread_mutex_destroy(&acc[0].m) == 0);
    assert(pthread_mutex_init(&acc[0].m, NULL) == 0);
    assert(pthread_mutex_lock(&acc[0].m) == 0 && pthread_mutex_unlock(&acc[0].m) == 0);
    for (int i = 0; i < 2; i++)
        pthread_mutex_destroy(&acc[i].m);
    free(acc);
    return 0;
}
