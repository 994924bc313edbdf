//@ run: verify --memory sc
//@ expect: error line=9
// Operators on structs.
struct s { int a; };

int main(void)
{
    struct s s = { 1 }, t = { 2 };
    return (s << t) != 0;
}
