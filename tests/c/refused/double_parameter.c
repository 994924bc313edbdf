//@ run: verify --memory sc
//@ expect: error line=4
// A function that takes a double.
static int half(double d) { return d / 2; }

int main(void)
{
    return half(3);
}
