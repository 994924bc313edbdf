#pragma once
#include <sys/types.h>
#include <time.h>
struct timezone { int tz_minuteswest; int tz_dsttime; };
struct itimerval { struct timeval it_interval; struct timeval it_value; };
#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2
int gettimeofday(struct timeval *t, void *zone);
int setitimer(int which, const struct itimerval *new_value, struct itimerval *old_value);
#define timerclear(t) ((t)->tv_sec = (t)->tv_usec = 0)
#define timerisset(t) ((t)->tv_sec || (t)->tv_usec)
#define timercmp(a, b, op) ((a)->tv_sec == (b)->tv_sec ? (a)->tv_usec op (b)->tv_usec : (a)->tv_sec op (b)->tv_sec)
#define timeradd(a, b, sum) do { (sum)->tv_sec = (a)->tv_sec + (b)->tv_sec; (sum)->tv_usec = (a)->tv_usec + (b)->tv_usec; if ((sum)->tv_usec >= 1000000) { (sum)->tv_sec++; (sum)->tv_usec -= 1000000; } } while (0)
#define timersub(a, b, diff) do { (diff)->tv_sec = (a)->tv_sec - (b)->tv_sec; (diff)->tv_usec = (a)->tv_usec - (b)->tv_usec; if ((diff)->tv_usec < 0) { (diff)->tv_sec--; (diff)->tv_usec += 1000000; } } while (0)
