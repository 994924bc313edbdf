//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=11
// Defining a function with a variable number of arguments, though it does not look at them.
static int first(int n, ...)
{
    return n;
}

int main(void)
{
    return first(0, 1, -1);
}
