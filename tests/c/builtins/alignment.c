//@ run: verify --memory sc
//@ expect: holds
// An alignment that is none: no memory, and the pointer is left alone.
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

static long *words(size_t align) { return aligned_alloc(align, 64); }

int main(void)
{
    int here;
    void *p = &here;
    assert(posix_memalign(&p, 3, 9) == EINVAL && p == &here);
    assert(posix_memalign(&p, 4, 9) == EINVAL && posix_memalign(&p, 24, 9) == EINVAL);
    assert(posix_memalign(&p, 0, 9) == EINVAL && p == &here);
    assert(posix_memalign(&p, 64, 9) == 0 && p != &here);
    free(p);
    assert(aligned_alloc(3, 9) == NULL && aligned_alloc(0, 8) == NULL);
    assert(words(12) == NULL);
    long *w = words(16);
    w[7] = 1;
    free(w);
    return 0;
}
