#pragma once
#include <sys/types.h>
#include <time.h>
typedef int sig_atomic_t;
typedef struct { unsigned long __bits[16]; } sigset_t;
typedef void (*sighandler_t)(int);
union sigval { int sival_int; void *sival_ptr; };
typedef struct { int si_signo; int si_errno; int si_code; pid_t si_pid; uid_t si_uid; void *si_addr; int si_status; union sigval si_value; } siginfo_t;
struct sigaction { union { void (*sa_handler)(int); void (*sa_sigaction)(int, siginfo_t *, void *); }; sigset_t sa_mask; int sa_flags; void (*sa_restorer)(void); };
typedef struct { void *ss_sp; int ss_flags; size_t ss_size; } stack_t;
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
#define SIG_ERR ((void (*)(int))-1)
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SA_NOCLDSTOP 1
#define SA_SIGINFO 4
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGIO 29
#define SIGRTMIN 34
#define SIGRTMAX 64
#define NSIG 65
#define _NSIG 65
sighandler_t signal(int number, sighandler_t handler);
int sigaction(int number, const struct sigaction *act, struct sigaction *old);
int raise(int number);
int kill(pid_t pid, int number);
int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int sigaddset(sigset_t *set, int number);
int sigdelset(sigset_t *set, int number);
int sigismember(const sigset_t *set, int number);
int sigprocmask(int how, const sigset_t *set, sigset_t *old);
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
int pthread_kill(unsigned long t, int number);
int sigsuspend(const sigset_t *set);
int sigwait(const sigset_t *set, int *number);
int sigpending(sigset_t *set);
