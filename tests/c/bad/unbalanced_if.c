//@ run: verify --memory sc
//@ expect: error
// #if without #endif.
#if 1

int main(void)
{
    return 0;
}
