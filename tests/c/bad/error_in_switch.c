//@ run: verify --memory sc
//@ expect: error line=11
// An error in a switch inside a loop.
static int first(void) { return 1; }

int main(void)
{
    for (int i = 0; i < 3; i++)
        switch (i) {
        case 0: first(); break;
        case 1: return missing ? 1 : 2;
        }
    return 0;
}
