//@ run: verify --memory sc
//@ expect: holds
// Lock coupling along a list: two threads walk it and add to each node.
#include <assert.h>
#include <pthread.h>

struct node { pthread_mutex_t m; int v; struct node *next; };
static struct node list[2];

static void *walk(void *arg)
{
    struct node *n = &list[0];
    pthread_mutex_lock(&n->m);
    for (;;) {
        n->v += (int)(long)arg;
        struct node *next = n->next;
        if (next)
            pthread_mutex_lock(&next->m);
        pthread_mutex_unlock(&n->m);
        if (!next)
            break;
        n = next;
    }
    return 0;
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&list[i].m, 0);
        list[i].next = i < 1 ? &list[i + 1] : 0;
    }
    pthread_t a, b;
    pthread_create(&a, 0, walk, (void *)1);
    pthread_create(&b, 0, walk, (void *)2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(list[0].v == 3 && list[1].v == 3);
    return 0;
}
