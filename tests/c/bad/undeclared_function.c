//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=6 limit.message="the function `nowhere` is called, which no file given declares"
// A call without a declaration.
int main(void)
{
    return nowhere(1);
}
