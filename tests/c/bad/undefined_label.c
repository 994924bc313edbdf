//@ run: verify --memory sc
//@ expect: error line=6
// A goto to nowhere.
int main(void)
{
    goto nowhere;
    return 0;
}
