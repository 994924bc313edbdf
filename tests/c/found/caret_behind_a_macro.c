//@ run: verify --memory sc
//@ expect: error line=8 column=22 message="`missing` is not declared"
// A caret behind a macro on the same line stands where the name does.
#define TWO 1 + 1
#define CALL(f, x) f(x)
int main(void)
{
    int a = TWO; a = missing + CALL(sizeof, int);
    return a;
}
