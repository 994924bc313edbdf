//@ run: verify --memory sc
//@ expect: error line=7
// GNU nested functions.
int main(void)
{
    int x = 1;
    int get(void) { return x; }
    return get() - 1;
}
