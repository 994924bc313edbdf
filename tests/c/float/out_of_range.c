//@ run: verify --memory sc
//@ expect: violated witness.kind=overflow witness.at.line=9
// What an integer cannot hold is not converted.
static double large = 4e9;

int main(void)
{
    unsigned u = large;
    int i = large;
    return u == i;
}
