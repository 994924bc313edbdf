//@ run: check --calls 2 -DVALUES
//@ expect: error code=L0121 message="`values` is declared twice"
//@ run: check --calls 2 -DHEAD=args=order
//@ expect: error code=L0121 message="`args` is said twice"
//@ run: check --calls 2 "-DHEAD=level=none level=R"
//@ expect: error code=L0121 message="`level` is said twice"
//@ run: check --calls 2 -DSPEC_INIT
//@ expect: error code=L0126 message="has its own specification"
//@ from: the last one counted, without a word
#include <stdatomic.h>
#ifndef HEAD
#define HEAD
#endif
#define SAY(text) _Pragma(#text)
#define DECLARE(more) SAY(lineal object register args=independent more)
DECLARE(HEAD)
#pragma lineal op write = put(value)
#pragma lineal op read = get() -> value
#ifdef VALUES
#pragma lineal values 0..1
#pragma lineal values 5..6
#endif
#ifdef SPEC_INIT
#pragma lineal spec_init put(0)
#endif
static atomic_int cell;
void put(int v) { cell = v; }
int get(void) { return cell; }
