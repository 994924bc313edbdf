//@ run: verify
//@ expect: violated witness.kind=use-after-free
// `break` and `continue` end the locals of the blocks they leave.
#include <assert.h>
#include <pthread.h>

static void *set(void *x) { *(int *)x = 7; return 0; }

int main(void)
{
    int *p = 0;
    pthread_t t;
    for (int i = 0; i < 2; i++) {
        int shared = 1;
        pthread_create(&t, 0, set, &shared);
        pthread_join(t, 0);
        if (i == 0)
            continue;
        assert(shared == 7);
        p = &shared;
        break;
    }
    return *p;
}
