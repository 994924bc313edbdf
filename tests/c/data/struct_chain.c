//@ run: verify --memory sc
//@ expect: holds
// A linked list on the stack and in an array, reversed in place.
#include <assert.h>
#include <stddef.h>

struct node { int v; struct node *next; };

static struct node *reverse(struct node *n)
{
    struct node *done = NULL;
    while (n) {
        struct node *next = n->next;
        n->next = done;
        done = n;
        n = next;
    }
    return done;
}

static int value(const struct node *n)
{
    int s = 0;
    for (; n; n = n->next)
        s = s * 10 + n->v;
    return s;
}

int main(void)
{
    struct node c = { 3, NULL }, b = { 2, &c }, a = { 1, &b };
    assert(value(&a) == 123 && a.next->next->v == 3);
    assert(value(reverse(&a)) == 321);
    struct node pool[5];
    for (int i = 0; i < 5; i++)
        pool[i] = (struct node){ i + 1, i < 4 ? &pool[i + 1] : NULL };
    struct node *h = reverse(pool);
    assert(h == &pool[4] && value(h) == 54321 && pool[0].next == NULL);
    struct node **link = &h;
    while (*link)
        if ((*link)->v % 2 == 0)
            *link = (*link)->next;
        else
            link = &(*link)->next;
    assert(value(h) == 531);
    return 0;
}
