//@ run: verify --memory sc
//@ expect: error line=6
// break with nothing to leave.
int main(void)
{
    break;
    return 0;
}
