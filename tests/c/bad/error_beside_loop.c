//@ run: verify --memory sc
//@ expect: error line=8
// An error inside && in a function that also has a loop: the function is half lowered.
static int first(void) { return 1; }

int main(void)
{
    int x = first() && missing;
    while (x)
        x = 0;
    return 0;
}
