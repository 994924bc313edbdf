//@ run: verify --memory sc
//@ expect: error line=4
// A static assertion that is false.
_Static_assert(sizeof(int) == 2, "sixteen bits");

int main(void)
{
    return 0;
}
