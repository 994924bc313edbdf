//@ run: verify --memory sc
//@ expect: holds
// A small register machine: enums, unions, bit-fields, arrays of structs and function pointers at once.
#include <assert.h>
#include <stdint.h>

enum op { LOADI, ADD, SUBI, JNZ, STOP, OPS };
struct insn { uint32_t op : 4, a : 4, b : 4; int32_t imm : 20; };
union word { uint64_t all; struct { uint32_t lo, hi; }; };
struct machine { union word r[4]; unsigned pc, steps; };
typedef int (*exec)(struct machine *, struct insn);

static int loadi(struct machine *m, struct insn i) { m->r[i.a].all = (uint64_t)(int64_t)i.imm; return 1; }
static int add(struct machine *m, struct insn i) { m->r[i.a].all += m->r[i.b].all; return 1; }
static int subi(struct machine *m, struct insn i) { m->r[i.a].all -= i.imm; return 1; }
static int jnz(struct machine *m, struct insn i) { return m->r[i.a].lo ? i.imm : 1; }
static const exec table[OPS] = { [ADD] = add, [LOADI] = loadi, [JNZ] = jnz, [SUBI] = subi };

int main(void)
{
    static const struct insn code[] = {
        { LOADI, 0, 0, 0 }, { LOADI, 1, 0, 5 }, { .op = LOADI, .a = 2, .imm = -3 },
        { ADD, 0, 1, 0 }, { SUBI, 1, 0, 1 }, { JNZ, 1, 0, -2 }, { .op = STOP },
    };
    struct machine m = { .pc = 0 };
    while (code[m.pc].op != STOP) {
        m.pc += table[code[m.pc].op](&m, code[m.pc]);
        m.steps++;
    }
    assert(m.r[0].all == 15 && m.r[1].all == 0 && m.steps == 18);
    assert((int64_t)m.r[2].all == -3 && m.r[2].hi == 0xffffffffu && sizeof(struct insn) == 4);
    return 0;
}
