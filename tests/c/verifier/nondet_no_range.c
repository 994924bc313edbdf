//@ run: verify --memory sc
//@ expect: error line=8
// Without a range the choice would be over four thousand million values: refused.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    return n == n + 0 ? 0 : 1;
}
