#pragma once
#include <stddef.h>
typedef unsigned wint_t;
typedef struct { int __a, __b; } mbstate_t;
size_t wcslen(const wchar_t *s);
