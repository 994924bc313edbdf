//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=6
// GNU computed goto.
int main(void)
{
    void *where = &&end;
    goto *where;
end:
    return 0;
}
