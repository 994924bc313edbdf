//@ run: verify --memory sc
//@ expect: holds
// Duff's device: case labels inside a loop inside the switch.
#include <assert.h>

static void copy(char *to, const char *from, int count)
{
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;   /* fall through */
    case 3:      *to++ = *from++;   /* fall through */
    case 2:      *to++ = *from++;   /* fall through */
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
}

int main(void)
{
    const char src[] = "0123456789";
    for (int len = 1; len <= 10; len++) {
        char dst[11] = { 0 };
        copy(dst, src, len);
        for (int i = 0; i < 11; i++)
            assert(dst[i] == (i < len ? src[i] : 0));
    }
    return 0;
}
