//@ run: verify --memory sc
//@ expect: error line=4
// A statement where a declaration should be.
1 + 2;

int main(void)
{
    return 0;
}
