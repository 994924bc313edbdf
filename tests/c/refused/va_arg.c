//@ run: verify --memory sc
//@ expect: error line=6
// Taking arguments one by one.
int main(void)
{
    __builtin_va_list ap;
    (void)ap;
    return 0;
}
