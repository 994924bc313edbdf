//@ run: verify --memory sc
//@ expect: error line=4
// The size of this array overflows 64 bits.
static long huge[0x80000000][0x80000000];

int main(void)
{
    return (int)huge[0][0];
}
