//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=11
// Sixteen bytes by compare-and-swap, eight of them by a load.
struct cell { long a, b; } __attribute__((aligned(16)));
static struct cell c;

int main(void)
{
    struct cell old = { 0, 0 }, new = { 1, 1 };
    __atomic_compare_exchange(&c, &old, &new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return (int)__atomic_load_n(&c.b, __ATOMIC_SEQ_CST) - 1;
}
