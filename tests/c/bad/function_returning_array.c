//@ run: verify --memory sc
//@ expect: error line=4
// No function returns an array.
static int f(void)[3];

int main(void)
{
    return 0;
}
