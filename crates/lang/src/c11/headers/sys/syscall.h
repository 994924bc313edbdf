#pragma once
#include <asm/unistd.h>
#define SYS_read 0
#define SYS_write 1
#define SYS_mmap 9
#define SYS_munmap 11
#define SYS_sched_yield 24
#define SYS_getpid 39
#define SYS_gettid 186
#define SYS_futex 202
#define SYS_exit_group 231
#define SYS_getcpu 309
#define SYS_membarrier 324
#define SYS_rseq 334
