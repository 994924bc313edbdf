//@ run: verify --memory sc
//@ expect: error
// A brace too few.
int main(void)
{
    if (1) {
        return 0;
}
