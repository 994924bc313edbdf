#pragma once
#include <emmintrin.h>
typedef long long __m256i __attribute__((__vector_size__(32), __may_alias__));
typedef float __m256 __attribute__((__vector_size__(32), __may_alias__));
typedef double __m256d __attribute__((__vector_size__(32), __may_alias__));
unsigned _xbegin(void);
void _xend(void);
void _xabort(const unsigned code);
unsigned char _xtest(void);
unsigned long long __rdtsc(void);
unsigned long long __rdtscp(unsigned *aux);
