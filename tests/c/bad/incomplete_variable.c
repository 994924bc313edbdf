//@ run: verify --memory sc
//@ expect: error line=8
// A variable of a type that is never completed.
struct later;

int main(void)
{
    struct later l;
    return 0;
}
