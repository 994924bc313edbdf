//@ run: verify --memory sc
//@ expect: error line=7
// No branch for this type.
int main(void)
{
    char *p = 0;
    return _Generic(p, int: 1, long: 2);
}
