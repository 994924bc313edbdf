#pragma once
#include <sys/time.h>
struct rlimit { unsigned long rlim_cur, rlim_max; };
struct rusage { struct timeval ru_utime, ru_stime; long ru_maxrss, ru_minflt, ru_majflt, ru_nvcsw, ru_nivcsw; };
#define RUSAGE_SELF 0
#define RUSAGE_THREAD 1
#define RLIMIT_STACK 3
#define RLIMIT_NOFILE 7
int getrusage(int who, struct rusage *out);
int getrlimit(int what, struct rlimit *out);
int setrlimit(int what, const struct rlimit *in);
int setpriority(int which, id_t who, int value);
#define PRIO_PROCESS 0
