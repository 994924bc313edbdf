//@ run: verify --memory sc
//@ expect: error line=8
// A brace too many.
int main(void)
{
    return 0;
}
}
