//@ run: verify --memory sc
//@ expect: violated witness.kind=division-by-zero
// The average of no elements.
static int average(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s / n;
}

int main(void)
{
    int a[1] = { 4 };
    return average(a, 0);
}
