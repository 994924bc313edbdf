//@ run: verify --memory sc
//@ expect: error line=7
// Arrays are not assigned.
int main(void)
{
    int a[2] = { 1, 2 }, b[2];
    b = a;
    return b[0];
}
