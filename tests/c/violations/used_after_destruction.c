//@ run: verify --memory sc -DHOW=1
//@ expect: violated witness.kind=lock-misuse witness.why="uses a semaphore that was destroyed."
//@ run: verify --memory sc -DHOW=2
//@ expect: violated witness.kind=lock-misuse witness.why="signals a condition variable that was destroyed."
//@ run: verify --memory sc -DHOW=3
//@ expect: violated witness.kind=lock-misuse witness.why="locks a read-write lock that was destroyed."
//@ run: verify --memory sc -DHOW=4
//@ expect: violated witness.kind=lock-misuse witness.why="uses a barrier that was destroyed or never initialised."
//@ run: verify --memory sc -DHOW=5
//@ expect: violated witness.kind=lock-misuse witness.why="locks a spin lock that was destroyed."
//@ run: verify --memory sc -DHOW=6
//@ expect: violated witness.kind=lock-misuse witness.why="initialises a mutex that is locked."
//@ run: verify --memory sc -DHOW=7
//@ expect: violated witness.kind=lock-misuse witness.why="destroys a mutex that was destroyed already."
//@ run: verify --memory sc -DHOW=8
//@ expect: violated witness.kind=lock-misuse witness.why="waits for a condition variable that was destroyed."
//@ run: verify --memory sc -DHOW=9
//@ expect: violated witness.kind=lock-misuse witness.why="initialises a read-write lock that is held."
//@ run: verify --memory sc -DHOW=10
//@ expect: violated witness.kind=race
//@ run: verify --memory sc -DHOW=0
//@ expect: holds
// Synchronisation objects after their end, and set up anew while they are held.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

static sem_t s;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t l;
static pthread_barrier_t b;
static pthread_spinlock_t n;

static void *post(void *arg)
{
    sem_post(&s);
    return arg;
}

int main(void)
{
    sem_init(&s, 0, 1);
    pthread_rwlock_init(&l, 0);
    pthread_barrier_init(&b, 0, 1);
    pthread_spin_init(&n, 0);
#if HOW == 9
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_init(&l, 0);
#endif
#if HOW == 10
    // The end of the semaphore and its use are not ordered.
    pthread_t t;
    pthread_create(&t, 0, post, 0);
    sem_destroy(&s);
    pthread_join(t, 0);
    return 0;
#endif
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_barrier_wait(&b);
    sem_wait(&s);
    post(0);
    pthread_spin_lock(&n);
    pthread_spin_unlock(&n);
    sem_destroy(&s);
    pthread_rwlock_destroy(&l);
    pthread_barrier_destroy(&b);
    pthread_spin_destroy(&n);
    pthread_cond_destroy(&c);
#if HOW == 1
    sem_trywait(&s);
#elif HOW == 2
    pthread_cond_broadcast(&c);
#elif HOW == 3
    pthread_rwlock_tryrdlock(&l);
#elif HOW == 4
    pthread_barrier_wait(&b);
#elif HOW == 5
    pthread_spin_trylock(&n);
#elif HOW == 6
    pthread_mutex_lock(&m);
    pthread_mutex_init(&m, 0);
#elif HOW == 7
    pthread_mutex_destroy(&m);
    pthread_mutex_destroy(&m);
#elif HOW == 8
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
#elif HOW == 0
    // All of it once more, and in memory that held something else.
    sem_init(&s, 0, 1);
    sem_wait(&s);
    pthread_cond_init(&c, 0);
    pthread_cond_signal(&c);
    pthread_rwlock_init(&l, 0);
    pthread_rwlock_rdlock(&l);
    pthread_barrier_init(&b, 0, 1);
    pthread_barrier_wait(&b);
    pthread_spin_init(&n, 0);
    pthread_spin_lock(&n);
    pthread_mutex_destroy(&m);
    pthread_mutex_init(&m, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_t *heap = malloc(sizeof *heap);
    pthread_mutex_init(heap, 0);
    pthread_mutex_lock(heap);
    pthread_mutex_unlock(heap);
    memset(heap, 1, sizeof *heap);
    pthread_mutex_init(heap, 0);
    pthread_mutex_lock(heap);
#endif
    return 0;
}
