//@ run: verify --memory sc
//@ expect: error line=6
// An empty character constant.
int main(void)
{
    return '';
}
