//@ part-of: bounded-queue.jsonl
// A queue of at most three elements: `enqueue` says whether there was room.
#include <stdbool.h>

#define ROOM 3
#define NOTHING (-1)

static int items[ROOM];
static int count;

#pragma lineal object spec
#pragma lineal op enqueue = enqueue(value) -> value
#pragma lineal op dequeue = dequeue() -> value, empty if result == NOTHING
#pragma lineal op size    = size() -> value

bool enqueue(int v)
{
    if (count == ROOM)
        return false;
    items[count++] = v;
    return true;
}

int dequeue(void)
{
    if (count == 0)
        return NOTHING;
    int first = items[0];
    for (int i = 1; i < count; i++)
        items[i - 1] = items[i];
    items[--count] = 0; // what is gone is forgotten: states that are alike are equal
    return first;
}

int size(void)
{
    return count;
}
