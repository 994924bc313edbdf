//@ run: verify --memory sc
//@ expect: violated witness.kind=race
// The bakery without the `choosing` flags: both can read zero and only then take their numbers.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int number[2];
static int inside;

static void *run(void *arg)
{
    int me = (int)(long)arg, other = 1 - me;
    number[me] = number[other] + 1;
    while (number[other] != 0 && (number[other] < number[me] || (number[other] == number[me] && other < me)))
        ;
    inside++;
    number[me] = 0;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, (void *)0);
    pthread_create(&b, 0, run, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
