//@ run: verify --memory sc
//@ expect: error line=4
// A typedef in terms of itself.
typedef loop loop;

int main(void)
{
    loop x;
    return 0;
}
