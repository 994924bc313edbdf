//@ from: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8
//@ set up: ./configure --memory-model=rmo
//@ run: verify -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --time-limit 60s
//@ expect: holds
/* A reader and a writer of ck_rwlock in Concurrency Kit: the reader sees both or none. */
#include <ck_rwlock.h>
static ck_rwlock_t l = CK_RWLOCK_INITIALIZER;
#define READ_LOCK ck_rwlock_read_lock(&l)
#define READ_UNLOCK ck_rwlock_read_unlock(&l)
#define WRITE_LOCK ck_rwlock_write_lock(&l)
#define WRITE_UNLOCK ck_rwlock_write_unlock(&l)
#include "readers.h"
