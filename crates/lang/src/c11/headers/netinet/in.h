#pragma once
#include <sys/socket.h>
#include <arpa/inet.h>
typedef uint32_t in_addr_t;
typedef uint16_t in_port_t;
struct in_addr { in_addr_t s_addr; };
struct sockaddr_in { sa_family_t sin_family; in_port_t sin_port; struct in_addr sin_addr; unsigned char sin_zero[8]; };
#define INADDR_ANY 0u
#define INADDR_LOOPBACK 0x7f000001u
#define IPPROTO_TCP 6
