#pragma once
#include <features.h>
#define __dead2 __attribute__((__noreturn__))
#define __unused __attribute__((__unused__))
#define __used __attribute__((__used__))
#define __packed __attribute__((__packed__))
#define __aligned(n) __attribute__((__aligned__(n)))
#define __predict_true(e) __builtin_expect(!!(e), 1)
#define __predict_false(e) __builtin_expect(!!(e), 0)
#define __containerof(p, type, member) ((type *)((char *)(p) - __builtin_offsetof(type, member)))
#define __always_inline inline __attribute__((__always_inline__))
#define __noinline __attribute__((__noinline__))
#define __RCSID(s) struct __lineal_nothing
#define __FBSDID(s) struct __lineal_nothing
#define __COPYRIGHT(s) struct __lineal_nothing
#define __glibc_likely(e) __builtin_expect((e), 1)
#define __glibc_unlikely(e) __builtin_expect((e), 0)
