//@ run: verify --memory sc
//@ expect: error line=7
// The parser notices on the next line.
int main(void)
{
    int x = 1
    return x;
}
