//@ run: verify --memory sc --observe a,b
//@ expect: holds outcomes={a=1 b=3; a=2 b=2; a=3 b=1}
// Choices filtered by an assumption.
void __VERIFIER_assume(int);
int __VERIFIER_nondet_range(int, int);

int a, b;

int main(void)
{
    int x = __VERIFIER_nondet_range(0, 3), y = __VERIFIER_nondet_range(0, 3);
    __VERIFIER_assume(x + y == 4);
    a = x;
    b = y;
    return 0;
}
