//@ run: check
//@ expect: error code=L0121 line=3 message="`heap` is no type of objects"
#pragma lineal object heap args=order
int f(void) { return 0; }
