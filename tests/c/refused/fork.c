//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=8
// Processes are not modelled.
int fork(void);

int main(void)
{
    return fork();
}
