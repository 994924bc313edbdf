//@ run: check --calls 4
//@ expect: holds
//@ run: check --calls 4 -DLIFO
//@ expect: violated  witness.kind=client  witness.calls=3
//@ run: check --calls 4 -DWHOLE
//@ expect: error code=L0124 message="neither a number nor a pointer"
//@ run: check --calls 4 -DWHOLE_OUT
//@ expect: error code=L0124 message="is no number"
// Operations that take a structure, answer with one, or fill one in.
#include <pthread.h>
struct item { int number; char tag; };
struct found { int ok; struct item item; };
#pragma lineal object queue args=independent
#pragma lineal op enqueue = put((struct item){value, 'x'})
#if defined WHOLE
#pragma lineal op dequeue = get() -> value, empty if !result.ok
#elif defined WHOLE_OUT
#pragma lineal op dequeue = get_into(out) -> out, empty if !result
#else
#pragma lineal op dequeue = get() -> result.item.number, empty if !result.ok
#pragma lineal op deq = get_into(out) -> out->number, empty if !result
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct item items[4];
static int first, last;

void put(struct item item)
{
    pthread_mutex_lock(&m);
    items[last++] = item;
    pthread_mutex_unlock(&m);
}

struct found get(void)
{
    struct found f = {0};
    pthread_mutex_lock(&m);
    if (first < last) {
        f.ok = 1;
#ifdef LIFO
        f.item = items[--last];
#else
        f.item = items[first++];
#endif
    }
    pthread_mutex_unlock(&m);
    return f;
}

int get_into(struct item *out)
{
    struct found f = get();
    if (f.ok) *out = f.item;
    return f.ok;
}
