//@ run: verify --memory sc
//@ expect: error line=6
// A call without a declaration.
int main(void)
{
    return nowhere(1);
}
