//@ run: verify --memory sc
//@ expect: violated witness.kind=invalid-pointer
//@ run: verify --memory sc -DELEMENT
//@ expect: violated witness.kind=invalid-pointer
// Casting `const` away does not make an object writable.
static const int one = 1;
static const int many[2] = { 1, 2 };

int main(void)
{
#ifdef ELEMENT
    *(int *)&many[1] = 3;
#else
    *(int *)&one = 2;
#endif
    return 0;
}
