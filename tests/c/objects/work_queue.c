//@ run: verify --memory sc
//@ expect: holds
// A queue of jobs with a poison pill: the worker stops after the last one.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct job { int n; struct job *next; };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct job *head, **tail = &head;
static int sum;

static void submit(int n)
{
    struct job *j = malloc(sizeof *j);
    j->n = n;
    j->next = NULL;
    pthread_mutex_lock(&m);
    *tail = j;
    tail = &j->next;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&m);
}

static void *worker(void *x)
{
    (void)x;
    for (;;) {
        pthread_mutex_lock(&m);
        while (!head)
            pthread_cond_wait(&more, &m);
        struct job *j = head;
        head = j->next;
        if (!head)
            tail = &head;
        pthread_mutex_unlock(&m);
        int n = j->n;
        free(j);
        if (n == 0)
            return 0;
        sum += n;
    }
}

int main(void)
{
    pthread_t w;
    pthread_create(&w, 0, worker, 0);
    submit(3);
    submit(4);
    submit(0);
    pthread_join(w, 0);
    assert(sum == 7 && head == NULL);
    return 0;
}
