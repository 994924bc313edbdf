//@ run: verify --memory sc
//@ expect: error line=7
// A pointer times two.
int main(void)
{
    int a = 1, *p = &a;
    return p * 2 != 0;
}
