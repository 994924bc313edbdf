//@ run: verify --memory sc
//@ expect: error line=6
// A member name twice, once through an anonymous struct.
struct s {
    int a;
    struct { int b, a; };
};

int main(void)
{
    struct s s = { 1, { 2, 3 } };
    return s.a;
}
