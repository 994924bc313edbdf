//@ run: verify --memory sc
//@ expect: error line=6
// A variable of type void.
int main(void)
{
    void v;
    return 0;
}
