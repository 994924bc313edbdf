//@ part-of: bank.edn
// Accounts that are never overdrawn. A transfer touches two of them, so a log cannot be decided
// account by account: keys are arguments here.
#include <stdbool.h>

#define ACCOUNTS 8

static int balance[ACCOUNTS];

static bool exists(int account)
{
    return account >= 0 && account < ACCOUNTS;
}

void bank_open(void)
{
    for (int i = 0; i < ACCOUNTS; i++)
        balance[i] = 100;
}

bool bank_transfer(int from, int to, int amount)
{
    if (!exists(from) || !exists(to) || amount < 0 || balance[from] < amount)
        return false;
    balance[from] -= amount;
    balance[to] += amount;
    return true;
}

void bank_deposit(int account, int amount)
{
    balance[account] += amount;
}

int bank_balance(int account)
{
    return exists(account) ? balance[account] : -1;
}

int bank_total(void)
{
    int sum = 0;
    for (int i = 0; i < ACCOUNTS; i++)
        sum += balance[i];
    return sum;
}

#pragma lineal object spec
#pragma lineal init bank_open()
#pragma lineal op transfer = bank_transfer(value[0], value[1], value[2]) -> value
#pragma lineal op deposit  = bank_deposit(key, value)
#pragma lineal op balance  = bank_balance(key) -> value, empty if result < 0
#pragma lineal op total    = bank_total() -> value
