#pragma once
#include <stddef.h>
typedef long ssize_t;
unsigned sleep(unsigned seconds);
int usleep(unsigned microseconds);
