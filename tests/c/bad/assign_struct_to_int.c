//@ run: verify --memory sc
//@ expect: error line=10
// Types that do not convert.
struct s { int a; };

int main(void)
{
    struct s s = { 1 };
    int x;
    x = s;
    return x;
}
