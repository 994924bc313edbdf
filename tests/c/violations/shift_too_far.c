//@ run: verify --memory sc
//@ expect: violated witness.kind=shift
// Shifting a 32-bit value by 32.
static unsigned mask(int bits) { return ~(~0u << bits); }

int main(void)
{
    return mask(32) == ~0u;
}
