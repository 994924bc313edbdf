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
int isxdigit(int c) { return isdigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'; }
int isgraph(int c) { return c > 32 && c < 127; }
int isprint(int c) { return c >= 32 && c < 127; }
int ispunct(int c) { return isgraph(c) && !isalnum(c); }
int iscntrl(int c) { return c >= 0 && c < 32 || c == 127; }
int isblank(int c) { return c == ' ' || c == 9; }

/* There is no time to pass: whoever sleeps lets others go first, which they may do anyway. */
unsigned sleep(unsigned seconds) { return 0; }
int usleep(unsigned microseconds) { return 0; }
int nanosleep(const void *t, void *left) { return 0; }
int clock_nanosleep(int clock, int flags, const void *t, void *left) { return 0; }
/* Waiting for nothing but time. */
int poll(void *fds, unsigned long n, int timeout) {
    if (n) __lineal_refuse("waiting for files is not modelled");
    return 0;
}
int select(int n, void *r, void *w, void *e, void *t) {
    if (r || w || e) __lineal_refuse("waiting for files is not modelled");
    return 0;
}
int pthread_setname_np(unsigned long t, const char *name) { return 0; }

/* The clock stands still between two looks, or moves on by an hour: nobody knows, but it never goes back. */
static long __lineal_hours;
static long __lineal_now(void) {
    if (__lineal_choose(0, 1)) return 1000000 + 3600 * (__atomic_fetch_add(&__lineal_hours, 1, 0) + 1);
    return 1000000 + 3600 * __atomic_load_n(&__lineal_hours, 0);
}
struct __lineal_timespec { long tv_sec, tv_nsec; };
int clock_gettime(int clock, struct __lineal_timespec *t) {
    t->tv_sec = __lineal_now();
    t->tv_nsec = 0;
    return 0;
}
int timespec_get(struct __lineal_timespec *t, int base) { clock_gettime(0, t); return base; }
int gettimeofday(struct __lineal_timespec *t, void *zone) { return clock_gettime(0, t); }
long time(long *t) {
    long now = __lineal_now();
    if (t) *t = now;
    return now;
}
long clock(void) { return 1000000 * __lineal_now(); }
double difftime(long later, long earlier) { return (double)(later - earlier); }

int rand(void) { return __lineal_nondet(); }
long random(void) { return __lineal_nondet(); }
int rand_r(unsigned *seed) { return __lineal_nondet(); }
long lrand48(void) { return __lineal_nondet(); }
void srand(unsigned seed) {}
void srandom(unsigned seed) {}
void srand48(long seed) {}

int getpid(void) { return 100; }
int getppid(void) { return 1; }
int gettid(void) { return 100 + (int)__lineal_self(); }
int getpagesize(void) { return 4096; }
long sysconf(int name) {
    if (name == 30) return 4096;
    if (name == 190) return 64;
    if (name == 2) return 100;
    __lineal_refuse("what `sysconf` says of this machine is not modelled");
    return -1;
}

/* What the compiler knows by itself is a function, too, where its address is wanted. */
void free(void *p) { __builtin_free(p); }
void *malloc(size_t size) { return __builtin_malloc(size); }
void *calloc(size_t n, size_t size) { return __builtin_calloc(n, size); }
void *realloc(void *p, size_t size) { return __builtin_realloc(p, size); }
void *aligned_alloc(size_t align, size_t size) { return __builtin_aligned_alloc(align, size); }
void *memalign(size_t align, size_t size) { return __builtin_memalign(align, size); }
void *memcpy(void *to, const void *from, size_t n) { return __builtin_memcpy(to, from, n); }
void *memmove(void *to, const void *from, size_t n) { return __builtin_memmove(to, from, n); }
void *memset(void *to, int c, size_t n) { return __builtin_memset(to, c, n); }
void abort(void) { __builtin_abort(); }
void exit(int status) { __builtin_exit(status); }
int sched_yield(void) { return 0; }
int thrd_yield(void) { return 0; }
void *valloc(size_t size) { return malloc(size); }
void *reallocarray(void *p, size_t n, size_t size) { return realloc(p, n * size); }
void *_mm_malloc(size_t size, size_t align) { return malloc(size); }
void _mm_free(void *p) { free(p); }

void *mempcpy(void *to, const void *from, size_t n) { memcpy(to, from, n); return (char *)to + n; }
void bzero(void *p, size_t n) { memset(p, 0, n); }
void explicit_bzero(void *p, size_t n) { memset(p, 0, n); }
void bcopy(const void *from, void *to, size_t n) { memmove(to, from, n); }
int bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }
void *memrchr(const void *s, int c, size_t n) {
    const unsigned char *p = s;
    while (n-- > 0)
        if (p[n] == (unsigned char)c) return (void *)(p + n);
    return (void *)0;
}
char *index(const char *s, int c) { return strchr(s, c); }
char *rindex(const char *s, int c) { return strrchr(s, c); }
char *strncat(char *to, const char *from, size_t n) {
    size_t at = strlen(to), i = 0;
    for (; i < n && from[i]; i++) to[at + i] = from[i];
    to[at + i] = 0;
    return to;
}
char *stpcpy(char *to, const char *from) { strcpy(to, from); return to + strlen(from); }
size_t strlcpy(char *to, const char *from, size_t n) {
    size_t i = 0;
    for (; i + 1 < n && from[i]; i++) to[i] = from[i];
    if (n) to[i] = 0;
    return strlen(from);
}
size_t strlcat(char *to, const char *from, size_t n) {
    size_t at = strnlen(to, n);
    return at == n ? n + strlen(from) : at + strlcpy(to + at, from, n - at);
}
char *strstr(const char *s, const char *part) {
    size_t n = strlen(part);
    for (;; s++) {
        if (strncmp(s, part, n) == 0) return (char *)s;
        if (!*s) return (void *)0;
    }
}
size_t strspn(const char *s, const char *set) {
    size_t n = 0;
    while (s[n] && strchr(set, s[n])) n++;
    return n;
}
size_t strcspn(const char *s, const char *set) {
    size_t n = 0;
    while (s[n] && !strchr(set, s[n])) n++;
    return n;
}
char *strpbrk(const char *s, const char *set) { s += strcspn(s, set); return *s ? (char *)s : (void *)0; }
char *strtok_r(char *s, const char *set, char **rest) {
    if (!s) s = *rest;
    s += strspn(s, set);
    if (!*s) { *rest = s; return (void *)0; }
    char *end = s + strcspn(s, set);
    if (*end) *end++ = 0;
    *rest = end;
    return s;
}
static char *__lineal_token;
char *strtok(char *s, const char *set) { return strtok_r(s, set, &__lineal_token); }
char *strndup(const char *s, size_t n) {
    size_t length = strnlen(s, n);
    char *p = malloc(length + 1);
    memcpy(p, s, length);
    p[length] = 0;
    return p;
}
int strcasecmp(const char *a, const char *b) {
    size_t i = 0;
    while (a[i] && tolower((unsigned char)a[i]) == tolower((unsigned char)b[i])) i++;
    return tolower((unsigned char)a[i]) - tolower((unsigned char)b[i]);
}
int strncasecmp(const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int x = tolower((unsigned char)a[i]), y = tolower((unsigned char)b[i]);
        if (x != y) return x - y;
        if (!x) return 0;
    }
    return 0;
}
unsigned long long strtoull(const char *s, char **end, int base) {
    const char *p = s, *first;
    unsigned long long n = 0;
    int minus = 0, large = 0;
    while (isspace((unsigned char)*p)) p++;
    if (*p == '-' || *p == '+') minus = *p++ == '-';
    if ((base == 0 || base == 16) && *p == '0' && (p[1] == 'x' || p[1] == 'X') && isxdigit((unsigned char)p[2])) {
        p += 2;
        base = 16;
    } else if (base == 0) base = *p == '0' ? 8 : 10;
    for (first = p;; p++) {
        int d = isdigit((unsigned char)*p) ? *p - '0' : isalpha((unsigned char)*p) ? tolower((unsigned char)*p) - 'a' + 10 : 99;
        if (d >= base) break;
        if (n > (~0ULL - (unsigned)d) / (unsigned)base) large = 1;
        n = n * (unsigned)base + (unsigned)d;
    }
    if (end) *end = (char *)(p == first ? s : p);
    if (large) { __lineal_errno = 34; return ~0ULL; }
    return minus ? -n : n;
}
unsigned long strtoul(const char *s, char **end, int base) { return strtoull(s, end, base); }
long long strtoll(const char *s, char **end, int base) {
    const char *p = s;
    while (isspace((unsigned char)*p)) p++;
    int minus = *p == '-';
    int saved = __lineal_errno;
    __lineal_errno = 0;
    unsigned long long n = strtoull(s, end, base);
    unsigned long long size = minus ? -n : n;
    if (__lineal_errno == 34 || size > (~0ULL >> 1) + (unsigned)minus) {
        __lineal_errno = 34;
        return minus ? -0x7fffffffffffffffLL - 1 : 0x7fffffffffffffffLL;
    }
    __lineal_errno = saved;
    return (long long)n;
}
long strtol(const char *s, char **end, int base) { return strtoll(s, end, base); }
long atol(const char *s) { return strtoll(s, (void *)0, 10); }
long long atoll(const char *s) { return strtoll(s, (void *)0, 10); }

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
div_t div(int a, int b) { div_t r = { a / b, a % b }; return r; }
ldiv_t ldiv(long a, long b) { ldiv_t r = { a / b, a % b }; return r; }
lldiv_t lldiv(long long a, long long b) { lldiv_t r = { a / b, a % b }; return r; }
long imaxabs(long x) { return x < 0 ? -x : x; }

static void __lineal_swap(char *a, char *b, size_t size) {
    char room[256];
    for (size_t at = 0; at < size; at += sizeof room) {
        size_t n = size - at < sizeof room ? size - at : sizeof room;
        memcpy(room, a + at, n);
        memmove(a + at, b + at, n);
        memcpy(b + at, room, n);
    }
}
/* By insertion: few elements are sorted here. */
void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *)) {
    char *p = base;
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && compare(p + (j - 1) * size, p + j * size) > 0; j--)
            __lineal_swap(p + (j - 1) * size, p + j * size, size);
}
void *bsearch(const void *key, const void *base, size_t n, size_t size, int (*compare)(const void *, const void *)) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *p = (const char *)base + middle * size;
        int order = compare(key, p);
        if (order == 0) return (void *)p;
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return (void *)0;
}

/* What is to be done when the process ends, last first. */
static int __lineal_last;
static void (*__lineal_ends[32])(void);
int atexit(void (*f)(void)) {
    int n = __atomic_fetch_add(&__lineal_last, 1, 4);
    if (n >= 32) return -1;
    __atomic_store_n(&__lineal_ends[n], f, 3);
    return 0;
}
void __lineal_end_process(void) {
    int n;
    while ((n = __atomic_load_n(&__lineal_last, 2)) > 0) {
        __atomic_store_n(&__lineal_last, n - 1, 0);
        void (*f)(void) = __atomic_load_n(&__lineal_ends[n - 1], 2);
        if (f) f();
    }
}

/* Text made from numbers, a piece at a time: what does not fit is only counted. */
static _Thread_local struct { char *to; size_t room, length; } __lineal_text;
void __text_begin(char *to, size_t room) { __lineal_text.to = to; __lineal_text.room = room; __lineal_text.length = 0; }
void __text_char(int c) {
    if (__lineal_text.length + 1 < __lineal_text.room) __lineal_text.to[__lineal_text.length] = (char)c;
    __lineal_text.length++;
}
static void __text_pad(int n, int c) {
    for (; n > 0; n--) __text_char(c);
}
/* `flags`: 1 left, 2 zeros, 4 sign, 8 space, 16 prefix, 32 capitals. */
void __text_number(unsigned long n, int minus, int base, int flags, int width, int digits) {
    char room[24];
    int length = 0, zeros, prefix;
    unsigned long rest = n;
    while (rest) {
        int d = (int)(rest % (unsigned long)base);
        room[length++] = (char)(d < 10 ? '0' + d : (flags & 32 ? 'A' : 'a') + d - 10);
        rest /= (unsigned long)base;
    }
    zeros = digits < 0 ? (length == 0) : digits > length ? digits - length : 0;
    if (flags & 16 && base == 8 && zeros == 0) zeros = 1;
    prefix = flags & 16 && base == 16 && n ? 2 : minus || flags & (4 | 8) ? 1 : 0;
    if (flags & 2 && !(flags & 1) && digits < 0 && width > prefix + zeros + length) zeros = width - prefix - length;
    if (!(flags & 1)) __text_pad(width - prefix - zeros - length, ' ');
    if (prefix == 2) { __text_char('0'); __text_char(flags & 32 ? 'X' : 'x'); }
    else if (prefix) __text_char(minus ? '-' : flags & 4 ? '+' : ' ');
    __text_pad(zeros, '0');
    for (int i = length; i > 0; i--) __text_char(room[i - 1]);
    if (flags & 1) __text_pad(width - prefix - zeros - length, ' ');
}
void __text_string(const char *s, int flags, int width, int digits) {
    int length = 0;
    while ((digits < 0 || length < digits) && s[length]) length++;
    if (!(flags & 1)) __text_pad(width - length, ' ');
    for (int i = 0; i < length; i++) __text_char(s[i]);
    if (flags & 1) __text_pad(width - length, ' ');
}
int __text_end(void) {
    if (__lineal_text.room) __lineal_text.to[__lineal_text.length < __lineal_text.room ? __lineal_text.length : __lineal_text.room - 1] = 0;
    return (int)__lineal_text.length;
}

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
int __builtin_ffsll(long long x) { return __builtin_ffsl(x); }
int ffs(int x) { return __builtin_ffs(x); }
int ffsl(long x) { return __builtin_ffsl(x); }
int ffsll(long long x) { return __builtin_ffsl(x); }
int __builtin_parityl(unsigned long x) { return __builtin_popcountl(x) & 1; }
int __builtin_parityll(unsigned long long x) { return __builtin_popcountl(x) & 1; }
int __builtin_clrsb(int x) { return __builtin_clz((unsigned)(x < 0 ? ~x : x) << 1 | 1); }
int __builtin_clrsbl(long x) { return __builtin_clzl((unsigned long)(x < 0 ? ~x : x) << 1 | 1); }
int __builtin_ffs(int x) { return x ? __builtin_ctz(x) + 1 : 0; }
int __builtin_parity(unsigned x) { return __builtin_popcountl(x) & 1; }
unsigned short __builtin_bswap16(unsigned short x) { return x << 8 | x >> 8; }
unsigned __builtin_bswap32(unsigned x) { return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24; }
unsigned htonl(unsigned x) { return __builtin_bswap32(x); }
unsigned ntohl(unsigned x) { return __builtin_bswap32(x); }
unsigned short htons(unsigned short x) { return __builtin_bswap16(x); }
unsigned short ntohs(unsigned short x) { return __builtin_bswap16(x); }
unsigned long __builtin_bswap64(unsigned long x) {
    return (unsigned long)__builtin_bswap32((unsigned)x) << 32 | __builtin_bswap32((unsigned)(x >> 32));
}
