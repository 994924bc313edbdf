//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=9
// A label inside of what is given up: nobody may jump past it.
extern int unknown(void);
static int f(int n)
{
    if (n == 0)
        goto inside;
    while ((__int128)n > 0) {
inside:
        n--;
    }
    return n;
}

int main(void) { return f(0); }
