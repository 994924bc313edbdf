//@ run: verify --memory sc
//@ expect: error line=6
// A floating constant, though it would be converted at once.
int main(void)
{
    int n = 2.5;
    return n;
}
