#pragma once
#include <sys/syscall.h>
