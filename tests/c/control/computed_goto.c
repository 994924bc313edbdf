//@ run: verify --memory sc
//@ expect: holds
// GNU computed goto: a table of label addresses drives a small interpreter.
#include <assert.h>

enum { PUSH, ADD, MUL, HALT };

static int run(const int *code)
{
    static const void *const op[] = { &&push, &&add, &&mul, &&halt };
    int stack[8], sp = 0;
    goto *op[*code++];
push:
    stack[sp++] = *code++;
    goto *op[*code++];
add:
    sp--;
    stack[sp - 1] += stack[sp];
    goto *op[*code++];
mul:
    sp--;
    stack[sp - 1] *= stack[sp];
    goto *op[*code++];
halt:
    return stack[sp - 1];
}

int main(void)
{
    const int prog[] = { PUSH, 2, PUSH, 3, ADD, PUSH, 7, MUL, HALT };
    assert(run(prog) == 35);
    return 0;
}
