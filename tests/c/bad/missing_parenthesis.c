//@ run: verify --memory sc
//@ expect: error line=6
// Never closed.
int main(void)
{
    return (1 + 2;
}
