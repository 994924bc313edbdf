//@ run: verify --memory sc
//@ expect: holds
// Tag bits: the low bits of an aligned pointer, and the sixteen above the address.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

struct node { int key; struct node *next; };

#define MARK ((uintptr_t)1)
static struct node *mark(struct node *n) { return (struct node *)((uintptr_t)n | MARK); }
static struct node *clean(struct node *n) { return (struct node *)((uintptr_t)n & ~(uintptr_t)7); }
static int marked(struct node *n) { return (uintptr_t)n & MARK; }

#define PACK(p, v) ((uint64_t)(uintptr_t)(p) | (uint64_t)(v) << 48)
#define PTR(w) ((struct node *)(uintptr_t)((w) & 0xffffffffffffull))
#define VER(w) ((unsigned)((w) >> 48))

int main(void)
{
    struct node *n = malloc(sizeof *n);
    struct node s = { 2, 0 };
    assert(n && (uintptr_t)n % 8 == 0 && (uintptr_t)&s % 8 == 0);
    n->key = 7;
    n->next = mark(&s);
    assert(marked(n->next) && !marked(n));
    assert(clean(n->next)->key == 2 && clean(n->next) == &s);
    assert(mark(n) != n && clean(mark(n)) == n);
    assert(marked(mark(NULL)) && clean(mark(NULL)) == NULL);
    assert((char *)mark(n) - (char *)n == 1);
    uint64_t w = PACK(n, 0xbeef);
    assert(PTR(w)->key == 7 && VER(w) == 0xbeef);
    w = PACK(PTR(w), VER(w) + 1);
    assert(VER(w) == 0xbef0 && PTR(w) == n);
    struct node *two = (struct node *)((uintptr_t)n + 2);
    assert(((uintptr_t)two & 7) == 2 && clean(two)->key == 7);
    free(n);
    return 0;
}
