//@ run: verify --memory sc
//@ expect: error line=6
// Wide characters.
int main(void)
{
    return L'a' - 97;
}
