#pragma once
#include <xmmintrin.h>
typedef long long __m128i __attribute__((__vector_size__(16), __may_alias__));
typedef double __m128d __attribute__((__vector_size__(16), __may_alias__));
#define _mm_mfence() __asm__ __volatile__("mfence" ::: "memory")
#define _mm_lfence() __asm__ __volatile__("lfence" ::: "memory")
void _mm_clflush(const void *p);
