//@ run: verify --memory sc
//@ expect: violated witness.kind=out-of-bounds
// One before the start.
static int g[3] = { 1, 2, 3 };

int main(void)
{
    int *p = g;
    return p[-1];
}
