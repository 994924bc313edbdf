//@ run: robust --calls 4
//@ expect: holds
// A letter and a flag, both relaxed, and a reader that does not take the letter once it has seen the flag: no
// single thread can tell that they were written out of order.
#include "../modes.h"

#pragma lineal object spec name=mail level=none
#pragma lineal op post = post()
#pragma lineal op look = look() -> result
#pragma lineal op take = take() -> result
#pragma lineal role sender: post max=1

static atomic_int letter, flag;
static _Thread_local int looked;

void post(void)
{
    if (LOAD(flag, relaxed))
        return;
    STORE(letter, 1, relaxed);
    STORE(flag, 1, relaxed);
}

int look(void)
{
    looked = 1;
    return LOAD(flag, relaxed);
}

int take(void)
{
    return looked ? 0 : LOAD(letter, relaxed);
}
