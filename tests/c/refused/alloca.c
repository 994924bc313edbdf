//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=6
// Memory from the stack at run time.
int main(void)
{
    char *p = __builtin_alloca(8);
    p[0] = 0;
    return p[0];
}
