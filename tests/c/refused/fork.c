//@ run: verify --memory sc
//@ expect: error line=8
// Processes are not modelled.
int fork(void);

int main(void)
{
    return fork();
}
