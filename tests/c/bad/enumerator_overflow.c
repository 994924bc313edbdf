//@ run: verify --memory sc
//@ expect: error line=6
// One more than the largest number.
enum e {
    TOP = 0x7fffffffffffffff,
    OVER,
};

int main(void)
{
    return 0;
}
