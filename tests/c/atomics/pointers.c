//@ run: verify --memory sc
//@ expect: holds
// Atomic pointers: exchange, compare, arithmetic scaled by the size of the target.
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>

struct node { int v; struct node *next; };

int main(void)
{
    int a[4] = { 10, 11, 12, 13 };
    _Atomic(int *) p = a;
    assert(*p == 10);
    p++;
    assert(*p == 11 && p[1] == 12);
    p += 2;
    assert(*p == 13);
    p -= 3;
    assert(atomic_load(&p) == a);
    int *want = a + 1;
    assert(!atomic_compare_exchange_strong(&p, &want, a + 2) && want == a);
    assert(atomic_compare_exchange_strong(&p, &want, a + 2) && *p == 12);
    assert(atomic_exchange(&p, NULL) == a + 2 && p == NULL);

    _Atomic(struct node *) top = NULL;
    struct node n1 = { 1, NULL }, n2 = { 2, NULL };
    n1.next = atomic_exchange(&top, &n1);
    struct node *t = top;
    do
        n2.next = t;
    while (!atomic_compare_exchange_weak(&top, &t, &n2));
    assert(top->v == 2 && top->next->v == 1 && top->next->next == NULL);
    _Atomic(int (*)(int)) f = NULL;
    assert(f == NULL);
    return 0;
}
