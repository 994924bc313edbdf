//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=6
// 128-bit integers.
int main(void)
{
    __int128 n = 1;
    return (int)n - 1;
}
