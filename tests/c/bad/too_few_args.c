//@ run: verify --memory sc
//@ expect: error line=8
// One argument short.
static int f(int a, int b) { return a + b; }

int main(void)
{
    return f(1);
}
