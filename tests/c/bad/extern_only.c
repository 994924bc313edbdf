//@ run: verify --memory sc
//@ expect: error line=8
// A global that is declared but defined nowhere.
extern int elsewhere;

int main(void)
{
    return elsewhere;
}
