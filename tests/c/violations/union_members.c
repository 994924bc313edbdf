//@ run: verify
//@ expect: violated  witness.kind=race  witness.why="data race on box.pointer: a plain write and a plain write are not ordered (the other at union_members.c:38:17)."
//@ run: verify -DNUMBER
//@ expect: violated  witness.kind=race  witness.why="data race on box.number: a plain write and a plain write are not ordered (the other at union_members.c:36:16)."
//@ run: verify -DHALF
//@ expect: violated  witness.kind=race  witness.why="data race on box.halves.high: a plain write and a plain write are not ordered (the other at union_members.c:34:21)."
//@ run: verify -DPAIR
//@ expect: violated  witness.kind=race  witness.why="data race on pair.of.halves.high: a plain write and a plain write are not ordered (the other at union_members.c:32:25)."
// A race on a member of a union has the name of the member that is used.
#include <pthread.h>
union cell { long number; void *pointer; struct { int low, high; } halves; };
static union cell box;
static struct { int kind; union cell of; } pair;
static void *thread(void *arg)
{
#ifdef PAIR
    pair.of.halves.high = 1;
#elif defined HALF
    box.halves.high = 1;
#elif defined NUMBER
    box.number = 1;
#else
    box.pointer = &pair;
#endif
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
#ifdef PAIR
    pair.of.halves.high = 2;
#elif defined HALF
    box.halves.high = 2;
#elif defined NUMBER
    box.number = 2;
#else
    box.pointer = 0;
#endif
    pthread_join(t, 0);
    return 0;
}
