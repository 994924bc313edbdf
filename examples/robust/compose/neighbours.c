//@ run: robust --libraries mail.c,one.c
//@ expect: violated witness.kind=order
// Fences everywhere, and not robust: one thread looks for mail and tells its neighbour by means of a register,
// and the neighbour finds none. The library of mail is robust by itself only since it knows its threads,
// and the proof of Theorem 6.1 puts the calls of both neighbours into one thread. So libraries with state
// per thread, or with roles, do not count as robust in composition.
#include "../modes.h"
#include <pthread.h>
void post(void);
int look(void), take(void), get_one(void);
void set_one(int value);

static void *looks(void *unused)
{
    if (look()) {
        FENCE(seq_cst);
        set_one(1);
    }
    return unused;
}

static void *takes(void *unused)
{
    if (get_one()) {
        FENCE(seq_cst);
        take();
    }
    return unused;
}

int main(void)
{
    pthread_t l, t;
    pthread_create(&l, 0, looks, 0);
    pthread_create(&t, 0, takes, 0);
    post();
    pthread_join(l, 0);
    pthread_join(t, 0);
}
