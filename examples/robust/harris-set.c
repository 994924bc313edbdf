//@ run: robust --calls 3
//@ expect: holds
//@ run-full: robust --calls 5
//@ expect: violated witness.kind=order
// Harris's list of examples/set: reads of links with acquire, swaps with acq_rel. Not robust, which takes
// five calls to show (with four there is nothing to see): inserts of different keys swap different links,
// so neither learns of the other, and two removes may each miss a key that is there.
#include "../set/harris-list.c"
