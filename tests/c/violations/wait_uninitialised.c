//@ run: verify
//@ expect: violated witness.kind=uninitialised
// Nobody initialised the semaphore that main waits for.
#include <semaphore.h>
#include <stdlib.h>

int main(void)
{
    sem_t *s = malloc(sizeof *s);
    sem_wait(s);
    free(s);
    return 0;
}
