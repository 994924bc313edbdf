//@ run: verify --memory sc
//@ expect: error line=6
// An identifier nobody declared.
int main(void)
{
    return missing;
}
