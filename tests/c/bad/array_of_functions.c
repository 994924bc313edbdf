//@ run: verify --memory sc
//@ expect: error line=4
// There are no arrays of functions.
static int table[3](int);

int main(void)
{
    return 0;
}
