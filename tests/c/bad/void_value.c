//@ run: verify --memory sc
//@ expect: error line=8
// The value of a void function.
static void f(void) {}

int main(void)
{
    return f() + 1;
}
