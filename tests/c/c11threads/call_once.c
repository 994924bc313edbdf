//@ run: verify --memory sc
//@ expect: holds
// call_once from two threads.
#include <assert.h>
#include <threads.h>

static once_flag flag = ONCE_FLAG_INIT;
static int made;

static void make(void) { made++; }
static int run(void *arg) { (void)arg; call_once(&flag, make); assert(made == 1); return 0; }

int main(void)
{
    thrd_t a, b;
    thrd_create(&a, run, 0);
    thrd_create(&b, run, 0);
    thrd_join(a, 0);
    thrd_join(b, 0);
    assert(made == 1);
    return 0;
}
