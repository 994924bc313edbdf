#pragma once
#include <features.h>
#include <stddef.h>
void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void *memchr(const void *s, int c, size_t n);
size_t strlen(const char *s);
size_t strnlen(const char *s, size_t n);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t n);
char *strcat(char *to, const char *from);
char *strchr(const char *s, int c);
char *strrchr(const char *s, int c);
char *strerror(int n);
char *strdup(const char *s);
#include <strings.h>
char *strncat(char *to, const char *from, size_t n);
char *strstr(const char *s, const char *part);
size_t strspn(const char *s, const char *set);
size_t strcspn(const char *s, const char *set);
char *strpbrk(const char *s, const char *set);
char *strtok(char *s, const char *set);
char *strtok_r(char *s, const char *set, char **rest);
char *strndup(const char *s, size_t n);
char *stpcpy(char *to, const char *from);
size_t strlcpy(char *to, const char *from, size_t n);
size_t strlcat(char *to, const char *from, size_t n);
int strerror_r(int n, char *s, size_t size);
char *strsignal(int n);
int strcoll(const char *a, const char *b);
void *memrchr(const void *s, int c, size_t n);
void *mempcpy(void *to, const void *from, size_t n);
void *memmem(const void *s, size_t n, const void *part, size_t m);
void explicit_bzero(void *p, size_t n);
