#pragma once
#include <stdlib.h>
void *memalign(size_t align, size_t size);
void *valloc(size_t size);
size_t malloc_usable_size(void *p);
