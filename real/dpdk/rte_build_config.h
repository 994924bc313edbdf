/* What DPDK's build would write for a small x86-64 machine, as far as the ring and the stack ask. */
#define RTE_ARCH 1
#define RTE_ARCH_64 1
#define RTE_ARCH_X86 1
#define RTE_ARCH_X86_64 1
#define RTE_CACHE_LINE_SIZE 64
#define RTE_CACHE_LINE_MIN_SIZE 64
#define RTE_CACHE_LINE_SIZE_LOG2 6
#define RTE_MAX_LCORE 4
#define RTE_MAX_NUMA_NODES 1
#define RTE_EXEC_ENV_LINUX 1
#define RTE_EXEC_ENV_IS_LINUX 1
#define RTE_COMPILE_TIME_CPUFLAGS
