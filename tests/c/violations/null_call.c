//@ run: verify --memory sc
//@ expect: violated witness.kind=null-pointer
// Calling through a null function pointer.
static int (*handler)(int);

int main(void)
{
    return handler(1);
}
