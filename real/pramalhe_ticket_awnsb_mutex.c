//@ from: pramalhe/ConcurrencyFreaks ae40ca8412569bd19636baad223413e9c4c4c793
//@ run: check --calls 4 -I @pramalhe/ConcurrencyFreaks/C11/locks/ticketawn --time-limit 60s
//@ expect: holds
/* ticket_awnsb_mutex of ConcurrencyFreaks, as a lock. */
#include "ticket_awnsb_mutex.c"
static ticket_awnsb_mutex_t l;
#pragma lineal object lock
#pragma lineal init ticket_awnsb_mutex_init(&l, 4)
#pragma lineal op lock = ticket_awnsb_mutex_lock(&l)
#pragma lineal op unlock = ticket_awnsb_mutex_unlock(&l)
