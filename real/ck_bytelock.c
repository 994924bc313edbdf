//@ from: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8
//@ set up: ./configure --memory-model=rmo
//@ run: verify -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --time-limit 60s
//@ expect: unknown
/* A reader and a writer of ck_bytelock in Concurrency Kit: the reader sees both or none. */
#include <ck_bytelock.h>
static ck_bytelock_t l = CK_BYTELOCK_INITIALIZER;
#define READ_LOCK ck_bytelock_read_lock(&l, 2)
#define READ_UNLOCK ck_bytelock_read_unlock(&l, 2)
#define WRITE_LOCK ck_bytelock_write_lock(&l, 1)
#define WRITE_UNLOCK ck_bytelock_write_unlock(&l)
#include "readers.h"
