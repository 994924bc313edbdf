//@ run: verify --memory sc
//@ expect: error line=7
// The sum of two pointers.
int main(void)
{
    int a[2] = { 1, 2 };
    int *p = a + (a + 1);
    return *p;
}
