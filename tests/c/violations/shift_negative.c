//@ run: verify --memory sc
//@ expect: violated witness.kind=shift
// A negative shift count.
int main(void)
{
    int by = -1;
    return 4 << by;
}
