//@ run: verify --memory sc
//@ expect: holds
// Release/acquire publication of a non-atomic payload: no race.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct msg { int id; char text[4]; };
static struct msg box;
static atomic_int ready;

static void *writer(void *a)
{
    (void)a;
    box = (struct msg){ 7, "hey" };
    atomic_store_explicit(&ready, 1, memory_order_release);
    return 0;
}

static void *reader(void *a)
{
    (void)a;
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(box.id == 7 && box.text[2] == 'y');
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(box.id == 7);
    return 0;
}
