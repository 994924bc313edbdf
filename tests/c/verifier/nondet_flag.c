//@ run: verify --memory sc --nondet 3..5 --observe r
//@ expect: holds outcomes={r=3; r=4; r=5}
// __VERIFIER_nondet_int takes its range from the command line.
int __VERIFIER_nondet_int(void);

int r;

int main(void)
{
    r = __VERIFIER_nondet_int();
    return 0;
}
