//@ run: verify --memory sc
//@ expect: error line=6
// main of the wrong type.
struct s { int a; };

struct s main(void)
{
    struct s s = { 0 };
    return s;
}
