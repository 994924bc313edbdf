//@ run: verify --memory sc
//@ expect: error line=6
// A type nobody declared.
int main(void)
{
    widget w;
    return 0;
}
