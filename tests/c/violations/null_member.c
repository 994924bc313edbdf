//@ run: verify --memory sc
//@ expect: violated witness.kind=null-pointer
// A member of a null struct lies a little above address zero: still a null pointer.
struct s { long pad[4]; int v; };

int main(void)
{
    struct s *p = 0;
    int *q = &p->v;
    return *q;
}
