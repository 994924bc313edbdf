//@ run: verify --memory sc
//@ expect: error line=6
// Two branches for one type.
int main(void)
{
    return _Generic(1, int: 1, signed: 2);
}
