//@ run: verify --memory sc
//@ expect: violated witness.kind=overflow
// Two shorts promoted to int: 65535 * 65535 does not fit.
int main(void)
{
    unsigned short a = 65535, b = 65535;
    return (a * b) == 1;
}
