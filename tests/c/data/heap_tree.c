//@ run: verify --memory sc
//@ expect: holds
// A binary search tree on the heap: insert, search, delete all, recursively.
#include <assert.h>
#include <stdlib.h>

struct tree { int key; struct tree *kid[2]; };

static struct tree *insert(struct tree *t, int key)
{
    if (!t) {
        t = calloc(1, sizeof *t);
        t->key = key;
        return t;
    }
    if (key != t->key) {
        struct tree **k = &t->kid[key > t->key];
        *k = insert(*k, key);
    }
    return t;
}

static int depth(const struct tree *t)
{
    if (!t)
        return 0;
    int l = depth(t->kid[0]), r = depth(t->kid[1]);
    return 1 + (l > r ? l : r);
}

static int inorder(const struct tree *t, int *out)
{
    if (!t)
        return 0;
    int n = inorder(t->kid[0], out);
    out[n++] = t->key;
    return n + inorder(t->kid[1], out + n);
}

static void drop(struct tree *t)
{
    if (t) {
        drop(t->kid[0]);
        drop(t->kid[1]);
        free(t);
    }
}

int main(void)
{
    int keys[] = { 5, 2, 8, 1, 9, 3, 5, 7 }, out[8];
    struct tree *root = NULL;
    for (int i = 0; i < 8; i++)
        root = insert(root, keys[i]);
    assert(depth(root) == 3);
    assert(inorder(root, out) == 7);
    for (int i = 1; i < 7; i++)
        assert(out[i - 1] < out[i]);
    drop(root);
    return 0;
}
