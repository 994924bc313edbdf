//@ run: verify --memory sc
//@ expect: holds stats.executions=1
// Arrays whose length is computed.
#include <assert.h>
#include <pthread.h>

static void *set(void *p)
{
    *(int *)p = 7;
    return 0;
}

int main(void)
{
    int n = 2, sum = 0;
    pthread_t t[n];
    int slots[n];
    for (int i = 0; i < n; i++) pthread_create(&t[i], 0, set, &slots[i]);
    for (int i = 0; i < n; i++) pthread_join(t[i], 0);
    for (int i = 1; i < 4; i++) {
        int a[i];
        a[i - 1] = i;
        sum += a[i - 1];
        assert(sizeof a == 4ul * i);
    }
    assert(sum == 6 && slots[0] + slots[1] == 14 && sizeof t == 2 * sizeof(pthread_t));
    return 0;
}
