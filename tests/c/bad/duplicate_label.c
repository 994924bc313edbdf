//@ run: verify --memory sc
//@ expect: error line=8
// A label twice in one function.
int main(void)
{
again:
    goto again;
again:
    return 0;
}
