//@ run: check --calls 2 -DK=7
//@ expect: error code=L0126 message="divides by zero"
//@ run: check --calls 2 -DK=5
//@ expect: holds
//@ from: a mistake of the specification was held against the object
#include <stdatomic.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
#pragma lineal object spec args=independent
#pragma lineal op put = put(value)
#pragma lineal op get = get() -> value, empty if result == 0
#pragma lineal spec put = s_put(value)
#pragma lineal spec get = s_get()
static atomic_int r;
void put(int v) { r = v; }
int get(void) { return atomic_exchange(&r, 0); }
static int s; static int *p; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static atomic_int as;
#if K == 0
void s_put(int v) { pthread_mutex_lock(&m); s = v; pthread_mutex_unlock(&m); }
int s_get(void) { pthread_mutex_lock(&m); int x = s; s = 0; pthread_mutex_unlock(&m); return x; }
#elif K == 1
void s_put(int v) { if (!p) p = malloc(sizeof *p); *p = v; }
int s_get(void) { if (!p) return 0; int x = *p; free(p); p = 0; return x; }
#elif K == 2
void s_put(int v) { as = v; }
int s_get(void) { return atomic_exchange(&as, 0); }
#elif K == 3
void s_put(int v) { assert(v); put(v); }
int s_get(void) { return get(); }
#elif K == 4
static struct { int a[4]; int n; } st, cp;
void s_put(int v) { st.a[0] = v; memcpy(&cp, &st, sizeof st); }
int s_get(void) { int x = st.a[0]; memset(&st, 0, sizeof st); return x; }
#elif K == 5
void s_put(int v) { for (int i = 0; i < 100000; i++) s = i; s = v; }
int s_get(void) { int x = s; s = 0; return x; }
#elif K == 6
void s_put(int v) { __atomic_thread_fence(5); s = v; }
int s_get(void) { int x = s; s = 0; return x; }
#elif K == 7
void s_put(int v) { s = v / 0; }
int s_get(void) { int x = s; s = 0; return x; }
#elif K == 8
void s_put(int v) { s = v; }
long s_get(void) { int x = s; s = 0; return x; }
#endif
