//@ run: verify --memory sc
//@ expect: error line=7
// Writing to a const object.
int main(void)
{
    const int k = 1;
    k = 2;
    return k;
}
