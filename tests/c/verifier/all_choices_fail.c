//@ run: verify --time-limit none
//@ expect: violated
//@ from: calculation: y has no value, whatever x is; limits are heeded though no choice goes on
void __VERIFIER_assume(int);
int __VERIFIER_nondet_range(int, int);
int a, b;
int main(void)
{
    int x = __VERIFIER_nondet_range(0, 2000000000), y;
    __VERIFIER_assume(x + y == 4);
    a = x;
    b = y;
    return 0;
}
