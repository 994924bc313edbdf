//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=9
// What a block declares first, the rest of it may use: nothing of the block is run.
int main(void)
{
    int n = 3;
    if (n > 2) {
        n = 1 / n;
        int a[n];
        a[0] = n;
        return a[0];
    }
    return 0;
}
