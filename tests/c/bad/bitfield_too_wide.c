//@ run: verify --memory sc
//@ expect: error line=5
// Wider than its type.
struct s {
    unsigned char a : 9;
};

int main(void)
{
    struct s s = { 1 };
    return s.a;
}
