//@ run: verify
//@ expect: violated  witness.kind=race  witness.at.line=22
//@ run: verify -DOK
//@ expect: holds  scope.assumptions[1]="plain accesses at race_ok.c:22 are relaxed atomic ones: races among them were not looked for"
//@ run: verify -DOK -DOTHER
//@ expect: violated  witness.kind=race
//@ run: verify -DMISSPELT
//@ expect: error code=L0121 line=20 message="`race okay` is not understood"
//@ run: verify -DNOWHERE
//@ expect: violated  diagnostics[0].code=L0131
// A race that its author knows about is set aside where it stands; the scope says so.
#include <pthread.h>
static int hits, other;
static void *thread(void *arg)
{
#if defined OK
#pragma lineal race ok
#elif defined MISSPELT

#pragma lineal race okay
#endif
    hits = 1;
#ifdef OTHER
    other = 1;
#endif
#ifdef NOWHERE
#pragma lineal race ok
    ;
#endif
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
#ifdef OK
#pragma lineal race ok
#endif
    int seen = hits;
#ifdef OTHER
    seen += other;
#endif
    pthread_join(t, 0);
    return seen & 0;
}
