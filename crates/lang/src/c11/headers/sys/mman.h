#pragma once
#include <sys/types.h>
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 16
#define MAP_ANONYMOUS 32
#define MAP_ANON 32
#define MAP_NORESERVE 0x4000
#define MAP_POPULATE 0x8000
#define MAP_HUGETLB 0x40000
#define MAP_FAILED ((void *)-1)
#define MADV_NORMAL 0
#define MADV_DONTNEED 4
#define MADV_HUGEPAGE 14
#define MS_ASYNC 1
#define MS_SYNC 4
void *mmap(void *addr, size_t size, int protection, int flags, int fd, off_t offset);
int munmap(void *addr, size_t size);
int mprotect(void *addr, size_t size, int protection);
int madvise(void *addr, size_t size, int advice);
int mlock(const void *addr, size_t size);
int munlock(const void *addr, size_t size);
int mlockall(int flags);
int shm_open(const char *name, int flags, mode_t mode);
int shm_unlink(const char *name);
