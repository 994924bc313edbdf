//@ run: verify --memory sc
//@ expect: error line=8
// An error in the condition of a loop.
static int first(void) { return 1; }

int main(void)
{
    for (int i = 0; i < 3 && missing; i++)
        first();
    return 0;
}
