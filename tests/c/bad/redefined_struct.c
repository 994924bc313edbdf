//@ run: verify --memory sc
//@ expect: error line=5
// A struct defined twice in one scope.
struct s { int a; };
struct s { int b; };

int main(void)
{
    struct s s = { 1 };
    return s.a;
}
