//@ run: verify --memory sc
//@ expect: violated witness.kind=race
// memcpy counts as plain accesses to every byte it copies.
#include <pthread.h>
#include <string.h>

static struct { int a, b; } shared, local;

static void *run(void *x) { (void)x; shared.b = 1; return 0; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    memcpy(&local, &shared, sizeof local);
    pthread_join(t, 0);
    return 0;
}
