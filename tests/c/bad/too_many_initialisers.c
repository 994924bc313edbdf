//@ run: verify --memory sc
//@ expect: error line=6
// More designated than there is.
int main(void)
{
    int a[2] = { [5] = 1 };
    return a[0];
}
