#pragma once
#include <time.h>
#define TFD_NONBLOCK 04000
#define TFD_CLOEXEC 02000000
int timerfd_create(int clock, int flags);
int timerfd_settime(int fd, int flags, const struct itimerspec *value, struct itimerspec *old);
