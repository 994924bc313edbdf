//@ run: check
//@ expect: error code=L0120 message="no object is declared"
int f(void) { return 0; }
