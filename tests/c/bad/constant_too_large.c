//@ run: verify --memory sc
//@ expect: error line=6
// More than 64 bits.
int main(void)
{
    return 0xfffffffffffffffffffffffff;
}
