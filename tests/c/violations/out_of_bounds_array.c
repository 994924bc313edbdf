//@ run: verify --memory sc
//@ expect: violated witness.kind=out-of-bounds
// One element too many.
int main(void)
{
    int a[4] = { 0 };
    for (int i = 0; i <= 4; i++)
        a[i] = i;
    return a[0];
}
