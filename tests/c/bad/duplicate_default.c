//@ run: verify --memory sc
//@ expect: error line=8
// Two defaults.
int main(void)
{
    switch (2) {
    default: return 1;
    default: return 2;
    }
}
