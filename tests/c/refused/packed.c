//@ run: verify --memory sc
//@ expect: error line=4
// Packed structs: their members would be misaligned.
struct __attribute__((packed)) tight { char c; int i; };

int main(void)
{
    struct tight t = { 1, 2 };
    return t.i - 2;
}
