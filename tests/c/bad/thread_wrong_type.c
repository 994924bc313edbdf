//@ run: verify --memory sc
//@ expect: error line=12
// pthread_create wants a function, not a number.
#include <pthread.h>

struct s { int a; };

int main(void)
{
    pthread_t t;
    struct s s = { 1 };
    pthread_create(&t, 0, s, 0);
    return 0;
}
