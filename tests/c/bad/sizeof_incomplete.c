//@ run: verify --memory sc
//@ expect: error line=8
// The size of an incomplete type.
struct later;

int main(void)
{
    return sizeof(struct later);
}
