//@ run: verify --memory sc
//@ expect: holds
// Arrays: decay, bounds from initialisers, passing, arrays of arrays and of pointers.
#include <assert.h>

static int total(int a[], int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
static int trace(int m[][3], int n) { int s = 0; for (int i = 0; i < n; i++) s += m[i][i]; return s; }
static void fill(int (*row)[3], int v) { for (int i = 0; i < 3; i++) (*row)[i] = v; }

int main(void)
{
    int a[] = { 3, 1, 2 };
    assert(sizeof a == 12 && total(a, 3) == 6 && *a == 3 && a[2] == 2);
    for (int i = 0; i < 3; i++)                       /* insertion sort */
        for (int j = i; j > 0 && a[j - 1] > a[j]; j--) {
            int t = a[j];
            a[j] = a[j - 1];
            a[j - 1] = t;
        }
    assert(a[0] == 1 && a[1] == 2 && a[2] == 3);
    int m[3][3] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } };
    assert(trace(m, 3) == 15 && m[1][2] == 6 && *(*(m + 2) + 1) == 8);
    fill(&m[1], 0);
    assert(total(m[0], 9) == 30);                     /* rows are contiguous */
    int cube[2][2][2] = { { { 1, 2 }, { 3, 4 } }, { { 5, 6 }, { 7, 8 } } };
    assert(cube[1][0][1] == 6 && sizeof cube[0] == 16);
    int *rows[3] = { m[2], m[0], m[1] };
    assert(rows[0][1] == 8 && rows[2][0] == 0);
    const char *words[] = { "zero", "one", "two" };
    assert(words[1][2] == 'e' && sizeof words / sizeof *words == 3);
    int (*pa)[3] = &a;
    assert((*pa)[2] == 3 && pa[0][1] == 2);
    return 0;
}
