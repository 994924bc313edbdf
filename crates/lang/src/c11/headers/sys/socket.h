#pragma once
#include <sys/types.h>
#include <sys/time.h>
typedef unsigned socklen_t;
typedef unsigned short sa_family_t;
struct sockaddr { sa_family_t sa_family; char sa_data[14]; };
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 10
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_NONBLOCK 04000
#define SOL_SOCKET 1
#define SO_REUSEADDR 2
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define SOMAXCONN 4096
int socket(int domain, int type, int protocol);
int socketpair(int domain, int type, int protocol, int fds[2]);
int bind(int fd, const struct sockaddr *a, socklen_t n);
int listen(int fd, int backlog);
int accept(int fd, struct sockaddr *a, socklen_t *n);
int connect(int fd, const struct sockaddr *a, socklen_t n);
int setsockopt(int fd, int level, int name, const void *value, socklen_t n);
ssize_t send(int fd, const void *buf, size_t n, int flags);
ssize_t recv(int fd, void *buf, size_t n, int flags);
int shutdown(int fd, int how);
