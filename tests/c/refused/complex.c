//@ run: verify --memory sc
//@ expect: error line=6
// _Complex.
int main(void)
{
    _Complex double z = 0;
    (void)z;
    return 0;
}
