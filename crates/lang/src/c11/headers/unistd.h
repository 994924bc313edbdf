#pragma once
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define F_OK 0
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_CLK_TCK 2
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_LEVEL1_DCACHE_LINESIZE 190
#define _POSIX_THREADS 200809L
#define _POSIX_TIMERS 200809L
unsigned sleep(unsigned seconds);
unsigned alarm(unsigned seconds);
int usleep(useconds_t microseconds);
int pause(void);
pid_t getpid(void);
pid_t getppid(void);
pid_t gettid(void);
pid_t fork(void);
uid_t getuid(void);
uid_t geteuid(void);
long sysconf(int name);
int getpagesize(void);
long syscall(long number, ...);
ssize_t read(int fd, void *buf, size_t n);
ssize_t write(int fd, const void *buf, size_t n);
off_t lseek(int fd, off_t offset, int whence);
int close(int fd);
int pipe(int fds[2]);
int dup(int fd);
int dup2(int from, int to);
int access(const char *path, int mode);
int unlink(const char *path);
int ftruncate(int fd, off_t length);
int isatty(int fd);
int gethostname(char *name, size_t n);
_Noreturn void _exit(int status);
int execv(const char *path, char *const argv[]);
int execvp(const char *file, char *const argv[]);
extern char *optarg;
extern int optind, opterr, optopt;
int getopt(int argc, char *const argv[], const char *options);
