#pragma once
#include <sys/time.h>
typedef struct { long __bits[16]; } fd_set;
#define FD_SETSIZE 1024
#define FD_ZERO(set) ((void)__builtin_memset((set), 0, sizeof(fd_set)))
#define FD_SET(fd, set) ((void)((set)->__bits[(fd) / 64] |= 1l << ((fd) % 64)))
#define FD_ISSET(fd, set) (((set)->__bits[(fd) / 64] >> ((fd) % 64)) & 1)
int select(int n, fd_set *r, fd_set *w, fd_set *e, struct timeval *t);
