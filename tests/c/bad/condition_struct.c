//@ run: verify --memory sc
//@ expect: error line=9
// A struct is neither true nor false.
struct s { int a; };

int main(void)
{
    struct s s = { 1 };
    if (s)
        return 1;
    return 0;
}
