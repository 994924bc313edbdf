/* The small part of the C library that computes; memory moves are instructions. */

typedef unsigned long size_t;

_Thread_local int __lineal_errno;
void *stdin, *stdout, *stderr;

int memcmp(const void *a, const void *b, size_t n) {
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < n; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}
void *memchr(const void *s, int c, size_t n) {
    const unsigned char *p = s;
    for (size_t i = 0; i < n; i++)
        if (p[i] == (unsigned char)c) return (void *)(p + i);
    return (void *)0;
}
size_t strlen(const char *s) {
    size_t n = 0;
    while (s[n]) n++;
    return n;
}
size_t strnlen(const char *s, size_t max) {
    size_t n = 0;
    while (n < max && s[n]) n++;
    return n;
}
int strcmp(const char *a, const char *b) {
    size_t i = 0;
    while (a[i] && a[i] == b[i]) i++;
    return (unsigned char)a[i] - (unsigned char)b[i];
}
int strncmp(const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (a[i] != b[i]) return (unsigned char)a[i] - (unsigned char)b[i];
        if (!a[i]) return 0;
    }
    return 0;
}
char *strcpy(char *to, const char *from) {
    size_t i = 0;
    do to[i] = from[i]; while (from[i++]);
    return to;
}
char *strncpy(char *to, const char *from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i]; i++) to[i] = from[i];
    for (; i < n; i++) to[i] = 0;
    return to;
}
char *strcat(char *to, const char *from) { strcpy(to + strlen(to), from); return to; }
char *strchr(const char *s, int c) {
    for (;; s++) {
        if (*s == (char)c) return (char *)s;
        if (!*s) return (void *)0;
    }
}
char *strrchr(const char *s, int c) {
    char *last = (void *)0;
    for (;; s++) {
        if (*s == (char)c) last = (char *)s;
        if (!*s) return last;
    }
}
char *strerror(int n) { return (char *)"error"; }
char *strdup(const char *s) {
    size_t n = strlen(s) + 1;
    char *p = malloc(n);
    memcpy(p, s, n);
    return p;
}
int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }
int atoi(const char *s) {
    int n = 0, sign = 1;
    while (*s == ' ' || *s >= 9 && *s <= 13) s++;
    if (*s == '-' || *s == '+') { if (*s == '-') sign = -1; s++; }
    while (*s >= '0' && *s <= '9') { n = n * 10 - (*s - '0'); s++; }
    return sign < 0 ? n : -n;
}
int posix_memalign(void **out, size_t align, size_t size) {
    if (align < sizeof(void *) || (align & (align - 1)) != 0) return 22;
    *out = malloc(size);
    return 0;
}
int isdigit(int c) { return c >= '0' && c <= '9'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isalpha(int c) { return isupper(c) || islower(c); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isspace(int c) { return c == ' ' || c >= 9 && c <= 13; }
int toupper(int c) { return islower(c) ? c - 32 : c; }
int tolower(int c) { return isupper(c) ? c + 32 : c; }
unsigned sleep(unsigned seconds) { return 0; }
int usleep(unsigned microseconds) { return 0; }
int nanosleep(const void *t, void *left) { return 0; }

int __builtin_popcountl(unsigned long x) { int n = 0; while (x) { x &= x - 1; n++; } return n; }
int __builtin_popcountll(unsigned long long x) { return __builtin_popcountl(x); }
int __builtin_popcount(unsigned x) { return __builtin_popcountl(x); }
int __builtin_ctzl(unsigned long x) { int n = 0; while (!(x & 1)) { x >>= 1; n++; if (n == 64) __builtin_unreachable(); } return n; }
int __builtin_ctzll(unsigned long long x) { return __builtin_ctzl(x); }
int __builtin_ctz(unsigned x) { return __builtin_ctzl(x | 1UL << 32); }
int __builtin_clzl(unsigned long x) { int n = 0; if (!x) __builtin_unreachable(); while (!(x >> 63)) { x <<= 1; n++; } return n; }
int __builtin_clzll(unsigned long long x) { return __builtin_clzl(x); }
int __builtin_clz(unsigned x) { return __builtin_clzl(x) - 32; }
int __builtin_ffsl(long x) { return x ? __builtin_ctzl(x) + 1 : 0; }
int __builtin_ffs(int x) { return x ? __builtin_ctz(x) + 1 : 0; }
int __builtin_parity(unsigned x) { return __builtin_popcountl(x) & 1; }
unsigned short __builtin_bswap16(unsigned short x) { return x << 8 | x >> 8; }
unsigned __builtin_bswap32(unsigned x) { return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24; }
unsigned long __builtin_bswap64(unsigned long x) {
    return (unsigned long)__builtin_bswap32((unsigned)x) << 32 | __builtin_bswap32((unsigned)(x >> 32));
}
