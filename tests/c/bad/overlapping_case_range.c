//@ run: verify --memory sc
//@ expect: error line=8
// Ranges that overlap.
int main(void)
{
    switch (2) {
    case 1 ... 5: return 1;
    case 4 ... 9: return 2;
    }
    return 0;
}
