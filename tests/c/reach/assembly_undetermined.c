//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=7
// An empty template with a result of its own leaves whatever was in the register.
int main(void)
{
    int x = 1;
    __asm__("" : "=r"(x));
    return x;
}
