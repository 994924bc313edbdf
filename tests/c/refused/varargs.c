//@ run: verify --memory sc
//@ expect: error line=4
// Defining a function with a variable number of arguments, though it does not look at them.
static int first(int n, ...)
{
    return n;
}

int main(void)
{
    return first(0, 1, -1);
}
