//@ run: verify
//@ expect: violated witness.kind=race witness.further.len=2
//@ run: verify --races off-at=further_errors.c:22 --races off-at=further_errors.c:31
//@ expect: violated witness.kind=race
//@ run: verify --races ignore
//@ expect: violated witness.kind=assertion witness.at.line=34
//@ run: verify --races ignore -D SAFE
//@ expect: holds
//@ run: verify --races report -D SAFE
//@ expect: violated witness.kind=race
// One race, another one, and behind both an assertion: each is told, the others set aside.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int x, y;
static atomic_int n;

static void *thread(void *unused)
{
    (void)unused;
    x = 1;
    y = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    int seen = x;
    int other = y;
#ifndef SAFE
    assert(seen + other == 0);
#endif
    pthread_join(t, 0);
    return atomic_load(&n);
}
