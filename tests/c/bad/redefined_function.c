//@ run: verify --memory sc
//@ expect: error line=5
// A function twice.
static int f(void) { return 1; }
static int f(void) { return 2; }

int main(void)
{
    return f();
}
