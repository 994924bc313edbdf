//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=7
// Inline assembly that does something.
int main(void)
{
    int x = 1, y = 0;
    __asm__ volatile("movl %1, %0" : "=r"(y) : "r"(x));
    return y;
}
