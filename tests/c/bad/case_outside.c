//@ run: verify --memory sc
//@ expect: error line=7
// case outside a switch.
int main(void)
{
    int x = 1;
    case 1:
    return x;
}
