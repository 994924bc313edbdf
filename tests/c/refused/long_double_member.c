//@ run: verify --memory sc
//@ expect: error line=6
// A floating member, even if nobody touches it: the size of the struct would be a guess.
struct s {
    int a;
    long double d;
};

int main(void)
{
    struct s s = { .a = 1 };
    return s.a;
}
