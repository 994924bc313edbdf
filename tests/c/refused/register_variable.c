//@ run: verify
//@ expect: unknown limit.kind=method limit.at.line=17
//@ run: verify -D LOCAL
//@ expect: unknown limit.kind=method limit.at.line=11 limit.message="a variable that is the register `rsp` is not modelled"
//@ run: verify -D UNUSED
//@ expect: holds
// A variable that is a register of the processor has a value that no program gives it.
register long stack __asm__("rsp");
#ifdef LOCAL
int main(void)
{   register unsigned long here __asm__("rsp");
    return here == 0;
}
#elif !defined UNUSED
int main(void)
{
    return stack == 0;
}
#else
int main(void)
{
    return 0;
}
#endif
