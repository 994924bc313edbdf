//@ run: verify --memory sc
//@ expect: error line=9
// A struct from a function that promises an int.
struct s { int a; };

static int f(void)
{
    struct s s = { 1 };
    return s;
}

int main(void)
{
    return f();
}
