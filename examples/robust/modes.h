// Memory orders by their short names, so that -D can change them.
#include <stdatomic.h>
#define ORDER_(mode) memory_order_##mode
#define ORDER(mode) ORDER_(mode)
#define LOAD(x, mode) atomic_load_explicit(&(x), ORDER(mode))
#define STORE(x, value, mode) atomic_store_explicit(&(x), value, ORDER(mode))
#define FENCE(mode) atomic_thread_fence(ORDER(mode))
