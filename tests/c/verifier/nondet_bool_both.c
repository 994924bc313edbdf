//@ run: verify --memory sc --observe r
//@ expect: holds outcomes={r=0; r=1; r=2; r=3}
// Two boolean choices: all four results.
_Bool __VERIFIER_nondet_bool(void);

int r;

int main(void)
{
    r = __VERIFIER_nondet_bool();
    r += 2 * __VERIFIER_nondet_bool();
    return 0;
}
