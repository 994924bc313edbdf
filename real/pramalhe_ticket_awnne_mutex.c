//@ from: pramalhe/ConcurrencyFreaks ae40ca8412569bd19636baad223413e9c4c4c793
//@ run: check --calls 4 -I @pramalhe/ConcurrencyFreaks/C11/locks/ticketawn --time-limit 60s
//@ expect: holds
/* ticket_awnne_mutex of ConcurrencyFreaks, as a lock. */
#include "ticket_awnne_mutex.c"
static ticket_awnne_mutex_t l;
#pragma lineal object lock
#pragma lineal init ticket_awnne_mutex_init(&l, 4)
#pragma lineal op lock = ticket_awnne_mutex_lock(&l)
#pragma lineal op unlock = ticket_awnne_mutex_unlock(&l)
