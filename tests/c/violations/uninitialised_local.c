//@ run: verify --memory sc
//@ expect: violated witness.kind=uninitialised
// A local read on the path that does not set it.
static int pick(int k)
{
    int v;
    if (k > 3)
        v = 1;
    return v;
}

int main(void)
{
    return pick(2);
}
