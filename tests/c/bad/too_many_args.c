//@ run: verify --memory sc
//@ expect: error line=8
// One argument too many.
static int f(int a) { return a; }

int main(void)
{
    return f(1, 2);
}
