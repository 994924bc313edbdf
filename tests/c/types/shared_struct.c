//@ run: verify shared_struct_other.c
//@ expect: holds
// A struct that two files declare alike is one type: objects of it are passed between them.
#include <assert.h>
struct inner { int low; };
struct pair { long first; struct inner in[2]; struct pair *next; };
extern const struct pair origin;
struct pair moved(struct pair from, int by);
int main(void)
{
    struct pair p = moved(origin, 3);
    assert(p.first == 8 && p.in[1].low == 7);
    return 0;
}
