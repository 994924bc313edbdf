//@ run: verify --memory sc
//@ expect: holds stats.executions=1
// atexit, functions of the library as values, and what has no effect here.
#define _GNU_SOURCE
#include <assert.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/cdefs.h>
#include <sys/queue.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static int done;
static void first(void) { assert(done == 1); }
static void second(void) { assert(done == 0); done = 1; }

static void with(void *p, void (*drop)(void *)) { drop(p); }
static void *(*volatile make)(size_t) = malloc;

static int cleaned;
static void clean(void *arg) { cleaned = 10 * cleaned + *(int *)arg; }
static void *thread(void *unused)
{
    int one = 1, two = 2, three = 3;
    pthread_cleanup_push(clean, &three);
    pthread_cleanup_push(clean, &one);
    pthread_cleanup_pop(1);
    pthread_cleanup_push(clean, &two);
    pthread_testcancel();
    if (!unused) pthread_exit(0);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return 0;
}

struct item { int n; TAILQ_ENTRY(item) link; };
TAILQ_HEAD(items, item);

int main(void)
{
    assert(atexit(first) == 0 && atexit(second) == 0);
    with(make(3), free);
    pthread_t t;
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setstacksize(&a, 1 << 20);
    pthread_create(&t, &a, thread, 0);
    pthread_join(t, 0);
    assert(cleaned == 123);
    struct items list = TAILQ_HEAD_INITIALIZER(list);
    struct item x = { .n = 1 }, y = { .n = 2 }, z = { .n = 3 }, *p;
    TAILQ_INSERT_TAIL(&list, &x, link);
    TAILQ_INSERT_TAIL(&list, &z, link);
    TAILQ_INSERT_AFTER(&list, &x, &y, link);
    int sum = 0;
    TAILQ_FOREACH(p, &list, link) sum = 10 * sum + p->n;
    TAILQ_REMOVE(&list, &y, link);
    TAILQ_FOREACH_REVERSE(p, &list, items, link) sum = 10 * sum + p->n;
    assert(sum == 12331 && TAILQ_LAST(&list, items) == &z && !TAILQ_EMPTY(&list));
    ssize_t size = -1;
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(70, &cpus);
    assert(CPU_ISSET(70, &cpus) && !CPU_ISSET(69, &cpus) && size < 0 && EINVAL == 22);
    assert(getpid() > 0 && getpid() == syscall(SYS_getpid) && sched_yield() == 0 && usleep(1) == 0);
    struct timespec pause = { 0, 1 };
    nanosleep(&pause, 0);
    return 0;
}
