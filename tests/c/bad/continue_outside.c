//@ run: verify --memory sc
//@ expect: error line=8
// continue inside a switch but outside any loop.
int main(void)
{
    switch (1) {
    case 1:
        continue;
    }
    return 0;
}
