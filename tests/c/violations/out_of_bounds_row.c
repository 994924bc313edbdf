//@ run: verify --memory sc
//@ expect: violated witness.kind=out-of-bounds
// Past the end of a row.
static int m[2][3];

static int get(int i, int j) { return m[i][j]; }

int main(void)
{
    return get(0, 3);
}
