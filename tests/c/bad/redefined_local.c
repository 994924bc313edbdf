//@ run: verify --memory sc
//@ expect: error line=7
// A local twice in one block.
int main(void)
{
    int x = 1;
    long x = 2;
    return x;
}
