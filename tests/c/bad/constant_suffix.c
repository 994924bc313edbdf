//@ run: verify --memory sc
//@ expect: error line=6
// Not a number.
int main(void)
{
    return 12abc;
}
