//@ run: robust --calls 3 -D WAITS
//@ expect: holds
//@ run: robust --prove -D WAITS
//@ expect: holds scope.calls=unbounded
//@ run: robust --calls 4 -D WAITS -D UNFENCED
//@ expect: violated witness.kind=order
//@ run: robust --calls 4 -D UNFENCED
//@ expect: violated witness.kind=order
//@ run: robust --calls 4
//@ expect: violated witness.kind=order
// A sequence lock around two words. A reader that waits for an even number, and waits until it finds
// the same one afterwards, is robust; one that looks and tries again reads words that no one wrote
// together, even if it then throws them away: its executions are new, its answers are not.
#include "modes.h"

#pragma lineal object register level=none args=independent
#pragma lineal op write = put(value)
#pragma lineal op read = get() -> value

// While the number is odd, its writer alone goes on with it; so it grows, even numbers are only taken, and whoever
// acquires an even one has seen all that was stored before.
#pragma lineal lemma held: update u of version, write w of version, u < w => some store s of version by u and s <= w
#pragma lineal lemma grows: write a of version, write b of version, a < b => a.new < b.new
#pragma lineal lemma taken: write a of version, a.new % 2 == 0 => a then update
#pragma lineal lemma told: store s of version, write t of version, s <= t, t.new % 2 == 0 => t tells s

static atomic_uint version;
static atomic_int low, high;

void put(int value)
{
    unsigned even;
    for (;;) {
        even = LOAD(version, relaxed);
        if (even % 2 == 0
            && atomic_compare_exchange_strong_explicit(&version, &even, even + 1, memory_order_acquire,
                                                       memory_order_relaxed))
            break;
    }
#ifndef UNFENCED
    FENCE(release);
#endif
    STORE(low, value, relaxed);
    STORE(high, value, relaxed);
    STORE(version, even + 2, release);
}

int get(void)
{
#ifdef WAITS
    unsigned even;
    while ((even = LOAD(version, acquire)) % 2)
        ;
    int found = LOAD(low, relaxed);
    int other = LOAD(high, relaxed);
    FENCE(acquire);
    while (LOAD(version, relaxed) != even)
        ;
    return found + 0 * other;
#else
    int found = -1;
    for (int attempt = 0; attempt < 2; attempt++) {
        unsigned even = LOAD(version, acquire);
        if (even % 2)
            continue;
        int one = LOAD(low, relaxed);
        int other = LOAD(high, relaxed);
#ifndef UNFENCED
        FENCE(acquire);
#endif
        if (LOAD(version, relaxed) == even) {
            found = one + 0 * other;
            break;
        }
    }
    return found;
#endif
}
