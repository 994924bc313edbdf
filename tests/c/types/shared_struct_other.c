//@ part-of: shared_struct.c
struct inner { int low; };
struct pair { long first; struct inner in[2]; struct pair *next; };
const struct pair origin = { 5, { { 6 }, { 7 } }, 0 };
struct pair moved(struct pair from, int by)
{
    from.first += by;
    return from;
}
