//@ part-of: any-of-the-first.jsonl
// First in, first out: a type of one's own to be relaxed.
static int elements[16];
static int count;

#pragma lineal object spec
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value, empty if result == 0
#ifdef RELAXED
#pragma lineal quasi dequeue=3
#endif

void enqueue(int element)
{
    elements[count++] = element;
}

int dequeue(void)
{
    if (count == 0)
        return 0;
    int first = elements[0];
    for (int i = 1; i < count; i++)
        elements[i - 1] = elements[i];
    elements[--count] = 0;
    return first;
}
