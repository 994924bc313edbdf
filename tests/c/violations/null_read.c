//@ run: verify --memory sc
//@ expect: violated witness.kind=null-pointer
// The list is shorter than the code believes.
#include <stddef.h>

struct node { int v; struct node *next; };

int main(void)
{
    struct node a = { 1, NULL };
    return a.next->v;
}
