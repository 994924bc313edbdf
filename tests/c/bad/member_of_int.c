//@ run: verify --memory sc
//@ expect: error line=7
// An int has no members.
int main(void)
{
    int x = 1;
    return x.y;
}
