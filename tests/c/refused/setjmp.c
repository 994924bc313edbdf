//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=11
// Non-local jumps, declared by hand.
typedef long jmp_buf[25];
int setjmp(jmp_buf env);

static jmp_buf env;

int main(void)
{
    if (setjmp(env))
        return 1;
    return 0;
}
