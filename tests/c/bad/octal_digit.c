//@ run: verify --memory sc
//@ expect: error line=6
// 9 is no octal digit.
int main(void)
{
    return 0129;
}
