//@ run: verify --memory sc
//@ expect: error line=5
// A global with two initial values.
int g = 1;
int g = 2;

int main(void)
{
    return g;
}
