//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=7
// The statement as a whole is refused, whichever operand is evaluated.
int main(void)
{
    int x = 1;
    x += x > 0 ? 1 : (int)(long double)x;
    return x;
}
