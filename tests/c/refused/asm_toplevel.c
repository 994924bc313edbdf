//@ run: verify --memory sc
//@ expect: error line=4
// Assembly at file scope.
__asm__(".globl nothing_at_all");

int main(void)
{
    return 0;
}
