//@ run: verify --memory sc
//@ expect: error line=6
// A character that is no C.
int main(void)
{
    int x = 1 @ 2;
    return x;
}
