//@ run: verify --memory sc
//@ expect: error line=8
// Two equal case labels.
int main(void)
{
    switch (2) {
    case 1 + 1: return 1;
    case 2: return 2;
    }
    return 0;
}
