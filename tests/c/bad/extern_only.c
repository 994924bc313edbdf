//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=8
// A global that is declared but defined nowhere.
extern int elsewhere;

int main(void)
{
    return elsewhere;
}
