//@ run: verify --memory sc
//@ expect: error line=5
// One name, two types.
extern int g;
char *g;

int main(void)
{
    return 0;
}
