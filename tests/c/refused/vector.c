//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=8
// Vector extensions.
typedef int four __attribute__((vector_size(16)));

int main(void)
{
    four v = { 1, 2, 3, 4 };
    return v[0] - 1;
}
