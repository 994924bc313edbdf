//@ run: verify --memory sc
//@ expect: holds
// errno and the error numbers of the bundled header.
#include <assert.h>
#include <errno.h>

static int fails(void) { errno = EBUSY; return -1; }

int main(void)
{
    errno = 0;
    assert(errno == 0);
    assert(fails() == -1 && errno == EBUSY);
    assert(EBUSY != EINVAL && EDEADLK != EPERM && EAGAIN != 0 && ETIMEDOUT != 0 && ENOMEM != 0);
    int *where = &errno;
    *where = EINVAL;
    assert(errno == EINVAL);
    return 0;
}
