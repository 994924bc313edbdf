//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=7
// Taking arguments one by one.
int main(void)
{
    __builtin_va_list ap;
    (void)ap;
    return 0;
}
