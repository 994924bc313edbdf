//@ run: verify --memory sc
//@ expect: error line=5
// Of negative width.
struct s {
    int a : -3;
};

int main(void)
{
    struct s s = { 1 };
    return s.a;
}
