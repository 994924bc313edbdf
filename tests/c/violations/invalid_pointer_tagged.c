//@ run: verify --memory sc
//@ expect: violated witness.kind=invalid-pointer
// A marked pointer is followed without clearing the mark first: misaligned.
#include <stdint.h>

struct node { int v; struct node *next; };

int main(void)
{
    struct node n = { 1, 0 };
    struct node *marked = (struct node *)((uintptr_t)&n | 1);
    return marked->v;
}
