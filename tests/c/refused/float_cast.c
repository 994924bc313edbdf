//@ run: verify --memory sc
//@ expect: error line=7
// A cast to float in the middle of integer code.
int main(void)
{
    int a = 7;
    return (int)(a / (float)2) - 3;
}
