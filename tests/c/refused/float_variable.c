//@ run: verify --memory sc
//@ expect: error line=6
// Floating point is refused, not approximated.
int main(void)
{
    float f = 1;
    return f > 0;
}
