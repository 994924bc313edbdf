#pragma once
#include <stddef.h>
typedef long time_t;
typedef long clock_t;
struct timespec { time_t tv_sec; long tv_nsec; };
int nanosleep(const struct timespec *t, struct timespec *left);
time_t time(time_t *t);
#define TIME_UTC 1
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
int timespec_get(struct timespec *t, int base);
int clock_gettime(int clock, struct timespec *t);
