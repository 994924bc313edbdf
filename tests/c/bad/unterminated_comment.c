//@ run: verify --memory sc
//@ expect: error
// The comment never ends.
int main(void)
{
    return 0; /* and so on
}
