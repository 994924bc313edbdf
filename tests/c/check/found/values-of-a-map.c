//@ run: check --calls 2
//@ expect: violated
//@ from: the values of a map were not drawn from the domain
#include <stdatomic.h>
#pragma lineal object map
#pragma lineal values 0..1
#pragma lineal op put = put(key, value)
#pragma lineal op get = get(key) -> value, empty if result == -1
static atomic_int cell[2] = {-1, -1};
void put(int key, int value) { atomic_store(&cell[key], value == 0 ? -1 : value); } /* wrong: 0 is lost */
int get(int key) { return atomic_load(&cell[key]); }
