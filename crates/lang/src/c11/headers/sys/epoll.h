#pragma once
#include <stdint.h>
#define EPOLLIN 1
#define EPOLLPRI 2
#define EPOLLOUT 4
#define EPOLLERR 8
#define EPOLLHUP 16
#define EPOLLRDHUP 0x2000
#define EPOLLET (1u << 31)
#define EPOLLONESHOT (1u << 30)
#define EPOLL_CTL_ADD 1
#define EPOLL_CTL_DEL 2
#define EPOLL_CTL_MOD 3
#define EPOLL_CLOEXEC 02000000
typedef union { void *ptr; int fd; uint32_t u32; uint64_t u64; } epoll_data_t;
struct epoll_event { uint32_t events; epoll_data_t data; };
int epoll_create(int n);
int epoll_create1(int flags);
int epoll_ctl(int ep, int op, int fd, struct epoll_event *e);
int epoll_wait(int ep, struct epoll_event *e, int n, int timeout);
