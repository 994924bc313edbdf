//@ run: verify --memory sc --observe r
//@ expect: holds outcomes={r=-4; r=-2; r=0; r=2; r=4}
// A choice from a range, both ends included.
int __VERIFIER_nondet_range(int, int);

int r;

int main(void)
{
    r = 2 * __VERIFIER_nondet_range(-2, 2);
    return 0;
}
