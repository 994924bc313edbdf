//@ from: DPDK/dpdk 38f72e500b3b159eca3ba2f4ca0e46a26a7cb057
//@ run: check --calls 4 -I @DPDK/dpdk/lib/ring -I @DPDK/dpdk/lib/eal/include -I @DPDK/dpdk/lib/eal/x86/include -I @DPDK/dpdk/lib/eal/linux/include -I @DPDK/dpdk/lib/log -I @DPDK/dpdk/config -I real/dpdk -include rte_config.h -DRTE_USE_C11_MEM_MODEL --time-limit 60s
//@ expect: violated
//@ run: check --calls 4 -I @DPDK/dpdk/lib/ring -I @DPDK/dpdk/lib/eal/include -I @DPDK/dpdk/lib/eal/x86/include -I @DPDK/dpdk/lib/eal/linux/include -I @DPDK/dpdk/lib/log -I @DPDK/dpdk/config -I real/dpdk -include rte_config.h -DRTE_USE_C11_MEM_MODEL --memory tso --time-limit 60s
//@ expect: holds
/* DPDK's ring, many producers and consumers, room for three. */
#include <rte_ring.h>
#include <stdlib.h>
static struct rte_ring *r;
#pragma lineal object queue args=independent capacity=3
#pragma lineal init set_up()
#pragma lineal op enqueue = put(value), full if result != 0
#pragma lineal op dequeue = get() -> value, empty if result == -1
static void set_up(void)
{
    r = aligned_alloc(64, sizeof *r + 4 * sizeof(void *));
    memset(r, 0, sizeof *r);
    r->flags = 0;
    r->prod.sync_type = r->cons.sync_type = RTE_RING_SYNC_MT;
    r->size = 4;
    r->mask = r->capacity = 3;
}
static int put(long value) { return rte_ring_mp_enqueue(r, (void *)(value + 1)); }
static long get(void)
{
    void *p;
    return rte_ring_mc_dequeue(r, &p) == 0 ? (long)p - 1 : -1;
}
