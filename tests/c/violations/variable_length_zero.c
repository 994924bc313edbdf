//@ run: verify --memory sc
//@ expect: violated witness.kind=out-of-bounds witness.at.line=6
// An array of no elements.
static int f(int n)
{
    int a[n];
    return sizeof a;
}

int main(void) { return f(0); }
