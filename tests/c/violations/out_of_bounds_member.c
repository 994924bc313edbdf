//@ run: verify --memory sc
//@ expect: violated witness.kind=out-of-bounds
// Past the end of an array that is a member: still inside the struct, but not inside the array.
static struct { int a[2]; int b; } s;

static int get(int i) { return s.a[i]; }

int main(void)
{
    return get(2);
}
