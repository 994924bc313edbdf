//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=11
//@ run: verify --memory sc -D UNREACHED
//@ expect: holds
// An object that no file defines matters where it is used.
#include <stddef.h>
#ifdef UNREACHED
int main(void) { extern int elsewhere; int *p = &elsewhere; return p == NULL; }
#else
extern int elsewhere;
int main(void) { return elsewhere; }
#endif
