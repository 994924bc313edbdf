//@ run: check
//@ expect: error code=L0127 line=3 message="the keys of a set are compared"
#pragma lineal object set args=independent
#pragma lineal op add = add(key)
int add(int k) { return k; }
