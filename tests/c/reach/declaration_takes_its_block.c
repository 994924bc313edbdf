//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=9
// What a block declares first, the rest of it may use: nothing of the block is run.
int main(void)
{
    int n = 3;
    if (n > 2) {
        n = 1 / n;
        __int128 a = n;
        n = (int)a;
        return n;
    }
    return 0;
}
