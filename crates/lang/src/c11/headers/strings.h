#pragma once
#include <stddef.h>
int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t n);
void bzero(void *p, size_t n);
void bcopy(const void *from, void *to, size_t n);
int bcmp(const void *a, const void *b, size_t n);
int ffs(int x);
int ffsl(long x);
int ffsll(long long x);
char *index(const char *s, int c);
char *rindex(const char *s, int c);
