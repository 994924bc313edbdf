#include <features.h>
#undef assert
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(e) ((void)__lineal_assert(!!(e), #e))
#endif
#ifndef static_assert
#define static_assert _Static_assert
#endif
