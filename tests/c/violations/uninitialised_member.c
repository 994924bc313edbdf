//@ run: verify --memory sc
//@ expect: violated witness.kind=uninitialised
// Copying a half-filled struct is fine, looking at the missing member is not.
struct s { int a, b; };

int main(void)
{
    struct s x, y;
    x.a = 1;
    y = x;
    if (y.a != 1)
        return 2;
    return y.b;
}
