//@ run: check --calls 2
//@ expect: error line=4 message="only a priority queue has `ties`"
// Ties are between priorities.
#pragma lineal object queue args=independent ties=any
#pragma lineal op enqueue = put(value)
#pragma lineal op dequeue = take() -> value, empty if result == -1
void put(int v) { (void)v; }
int take(void) { return -1; }
