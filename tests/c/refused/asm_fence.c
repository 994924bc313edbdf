//@ run: verify --memory sc
//@ expect: error line=6
// An assembly fence: use atomic_thread_fence.
int main(void)
{
    __asm__ volatile("mfence" ::: "memory");
    return 0;
}
