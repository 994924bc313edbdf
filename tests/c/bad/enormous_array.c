//@ run: verify --memory sc
//@ expect: error line=4
// An array larger than any memory.
static char huge[0x7fffffffffffffff];

int main(void)
{
    return huge[0];
}
