//@ run: verify --memory sc
//@ expect: error line=9
// No such member.
struct s { int a; };

int main(void)
{
    struct s s = { 1 };
    return s.b;
}
