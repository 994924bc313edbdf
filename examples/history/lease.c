//@ part-of: lease.jsonl
// A lease that may run out at any time. Who takes it gets a number that grows with every grant;
// a write with a number that is not the last one granted is turned down.
#include <stdbool.h>

int __VERIFIER_nondet_range(int low, int high);

static bool held;
static int holder;
static int granted; // the last number
static int stored;

static void maybe_expire(void)
{
    if (held && __VERIFIER_nondet_range(0, 1)) {
        held = false;
        holder = 0;
    }
}

int lease_take(int who)
{
    maybe_expire();
    if (held && holder != who)
        return 0;
    held = true;
    holder = who;
    return ++granted;
}

void lease_return(int who)
{
    if (held && holder == who) {
        held = false;
        holder = 0;
    }
}

bool lease_write(int number, int v)
{
    if (number != granted)
        return false;
    stored = v;
    return true;
}

int lease_read(void)
{
    return stored;
}

#pragma lineal object spec
#pragma lineal op take   = lease_take(thread) -> value, empty if result == 0
#pragma lineal op return = lease_return(thread)
#pragma lineal op write  = lease_write(value[0], value[1]) -> value
#pragma lineal op read   = lease_read() -> value
