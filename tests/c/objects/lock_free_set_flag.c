//@ run: verify --memory sc
//@ expect: holds
// Three threads claim bits of one word; each bit has one owner.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint used;
static int got[3];

static void *claim(void *arg)
{
    for (int bit = 0; bit < 3; bit++) {
        unsigned old = atomic_fetch_or(&used, 1u << bit);
        if (!(old & 1u << bit)) {
            got[(long)arg] = bit;
            return 0;
        }
    }
    assert(0);
}

int main(void)
{
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, claim, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(used == 7 && got[0] != got[1] && got[1] != got[2] && got[0] != got[2]);
    return 0;
}
