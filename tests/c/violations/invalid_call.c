//@ run: verify --memory sc
//@ expect: violated witness.kind=invalid-pointer
// Calling something that is not a function.
static int data = 5;

int main(void)
{
    int (*f)(void) = (int (*)(void))&data;
    return f();
}
