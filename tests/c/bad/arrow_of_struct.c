//@ run: verify --memory sc
//@ expect: error line=9
// -> wants a pointer.
struct s { int a; };

int main(void)
{
    struct s s = { 1 };
    return s->a;
}
