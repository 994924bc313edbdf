//@ run: verify --memory sc
//@ expect: error line=6
// The string never ends.
int main(void)
{
    const char *s = "abc;
    return s[0];
}
