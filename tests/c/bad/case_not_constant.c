//@ run: verify --memory sc
//@ expect: error line=8
// A case label that is no constant.
int main(void)
{
    int k = 3;
    switch (k) {
    case k: return 1;
    }
    return 0;
}
