//@ run: verify --memory sc
//@ expect: violated witness.kind=use-after-free
// A pointer to a local outlives its function.
static int *keep;

static void f(void)
{
    int local = 4;
    keep = &local;
}

int main(void)
{
    f();
    return *keep;
}
