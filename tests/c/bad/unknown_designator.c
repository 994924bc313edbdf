//@ run: verify --memory sc
//@ expect: error line=8
// No such member to initialise.
struct s { int a; };

int main(void)
{
    struct s s = { .z = 1 };
    return s.a;
}
