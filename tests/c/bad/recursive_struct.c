//@ run: verify --memory sc
//@ expect: error line=6
// A struct that contains itself has no size.
struct s {
    int a;
    struct s inner;
};

int main(void)
{
    struct s s;
    return s.a;
}
