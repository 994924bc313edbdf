//@ run: verify --memory sc
//@ expect: error line=4
// The preprocessor says no.
#error "this configuration is not supported"

int main(void)
{
    return 0;
}
