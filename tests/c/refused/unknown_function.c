//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=8
// A function that is declared but defined nowhere: its effect is unknown.
int mystery(int);

int main(void)
{
    return mystery(3);
}
