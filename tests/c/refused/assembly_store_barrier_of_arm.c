//@ run: verify --memory sc -D ARM
//@ expect: unknown limit.kind=method limit.at.line=8
// Weaker than any fence of C, so it is not taken for one.
int main(void)
{
    int x = 1;
#ifdef ARM
    __asm__ volatile("dmb ishst" ::: "memory");
#endif
    return x - 1;
}
