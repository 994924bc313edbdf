//@ run: verify --memory sc
//@ expect: error line=6
// An array of negative length.
int main(void)
{
    int a[-1];
    return 0;
}
