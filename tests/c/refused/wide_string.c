//@ run: verify --memory sc
//@ expect: error line=6
// Wide strings.
int main(void)
{
    return L"abc"[0] - 97;
}
