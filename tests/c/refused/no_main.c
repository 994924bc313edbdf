//@ run: verify --memory sc
//@ expect: error
// A file without main.
int helper(int x)
{
    return x;
}
