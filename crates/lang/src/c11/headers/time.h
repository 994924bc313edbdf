#pragma once
#include <features.h>
#include <stddef.h>
typedef long time_t;
typedef long clock_t;
typedef int clockid_t;
typedef void *timer_t;
struct timespec { time_t tv_sec; long tv_nsec; };
struct itimerspec { struct timespec it_interval; struct timespec it_value; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long tm_gmtoff; const char *tm_zone; };
#define CLOCKS_PER_SEC 1000000L
#define TIME_UTC 1
#define TIMER_ABSTIME 1
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
int nanosleep(const struct timespec *t, struct timespec *left);
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *t, struct timespec *left);
time_t time(time_t *t);
clock_t clock(void);
int timespec_get(struct timespec *t, int base);
int clock_gettime(clockid_t clock, struct timespec *t);
int clock_getres(clockid_t clock, struct timespec *t);
int clock_settime(clockid_t clock, const struct timespec *t);
double difftime(time_t later, time_t earlier);
time_t mktime(struct tm *t);
struct tm *localtime(const time_t *t);
struct tm *gmtime(const time_t *t);
struct tm *localtime_r(const time_t *t, struct tm *out);
struct tm *gmtime_r(const time_t *t, struct tm *out);
size_t strftime(char *s, size_t max, const char *format, const struct tm *t);
char *ctime(const time_t *t);
char *asctime(const struct tm *t);
