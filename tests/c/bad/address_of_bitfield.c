//@ run: verify --memory sc
//@ expect: error line=9
// A bit-field has no address.
struct s { unsigned a : 3; };

int main(void)
{
    struct s s = { 1 };
    void *p = &s.a;
    return p == 0;
}
