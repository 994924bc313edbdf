//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=6
// _Complex.
int main(void)
{
    _Complex double z = 0;
    (void)z;
    return 0;
}
