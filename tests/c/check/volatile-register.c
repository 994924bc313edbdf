//@ run: check --calls 2
//@ expect: violated witness.kind=unsafe witness.hints[0]="volatile says nothing about threads in C, so these accesses race; --volatile relaxed (acq-rel, seq-cst) takes all accesses of volatile objects to be atomic, as older code means them"
//@ run: check --calls 3 --volatile seq-cst
//@ expect: holds
// What a race of calls is about is volatile.
#pragma lineal object register args=independent
#pragma lineal op write = set(value)
#pragma lineal op read = get() -> value
static volatile int cell;

void set(int value) { cell = value; }
int get(void) { return cell; }
