#pragma once
typedef float __m128 __attribute__((__vector_size__(16), __may_alias__));
#define _mm_pause() ((void)0)
#define _mm_sfence() __asm__ __volatile__("sfence" ::: "memory")
#define _MM_HINT_T0 3
#define _MM_HINT_T1 2
#define _MM_HINT_T2 1
#define _MM_HINT_NTA 0
#define _mm_prefetch(p, hint) __builtin_prefetch(p, hint)
void *_mm_malloc(unsigned long size, unsigned long align);
void _mm_free(void *p);
