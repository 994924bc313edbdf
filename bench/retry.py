#!/usr/bin/env python3
"""Programs with retry loops: executions with and without reductions, CPU seconds, and how many graphs
there are without failed iterations, where that is easily counted. Prints a Markdown table.
Usage: bench/retry.py [target/release/lineal]"""

import json
import math
import os
import subprocess
import sys

LINEAL = sys.argv[1] if len(sys.argv) > 1 else "target/release/lineal"
LIMIT = os.environ.get("LIMIT", "60s")
QUEUE = ("queue_enqueue(&queue,x)", "queue_dequeue(&queue)", "queue_init(&queue)")
RING = ("enqueue(x)", "dequeue()", "start()")
STACK = ("stack_push(&stack,x)", "stack_pop(&stack)", "stack_init(&stack)")


def queues(puts, takes):
    """All orders of the calls that do something. A dequeue that finds nothing has looked in one of the
    moments when there was nothing."""
    def graphs(size, puts, served, empty, moments):
        if not puts and not served:
            return moments**empty
        put = puts and puts * graphs(size + 1, puts - 1, served, empty, moments)
        take = size and served and served * graphs(size - 1, puts, served - 1, empty, moments + (size == 1))
        return put + take

    return sum(math.comb(takes, n) * graphs(0, puts, n, takes - n, 1) for n in range(min(puts, takes) + 1))


def stacks(puts, takes):
    """As above; and who swaps the top has looked at any write of the value that it replaces."""
    def graphs(stack, puts, takes, writes):
        top = stack[-1] if stack else 0
        count = 0 if puts else writes[0] ** takes
        for put in puts:
            count += writes[top] * graphs(stack + (put,), puts - {put}, takes, {**writes, put: 1})
        if stack and takes:
            under = (0, *stack)[-2]
            after = {**writes, under: writes[under] + 1}
            count += writes[top] * takes * graphs(stack[:-1], puts, takes - 1, after)
        return count

    return graphs((), frozenset(range(1, puts + 1)), takes, {0: 1})


def locks(readers, writers):
    """All orders of the writers; readers come and go between two of them."""
    def places(readers, gaps):
        if not gaps:
            return not readers
        here = lambda n: math.comb(readers, n) * math.factorial(2 * n) // 2**n
        return sum(here(n) * places(readers - n, gaps - 1) for n in range(readers + 1))

    return math.factorial(writers) * places(readers, writers + 1)


OBJECTS = [
    ("queue/michael-scott-heap", QUEUE, [(2, 2), (3, 3), (4, 4)]),
    ("queue/optimistic", QUEUE, [(2, 2), (3, 3), (4, 4)]),
    ("queue/baskets", QUEUE, [(2, 2), (3, 3)]),
    ("robust/mpmc-ring", RING, [(2, 2), (3, 3), (4, 4)]),
    ("stack/treiber-heap", STACK, [(2, 2), (3, 3), (4, 4)]),
]
COUNTS = {"queue/michael-scott-heap": queues, "stack/treiber-heap": stacks}
LOCK = "tests/c/retry/reader_writer_lock.c"


def run(file, *flags):
    command = [LINEAL, "verify", file, "--format", "json", "--time-limit", LIMIT, *flags]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    text = process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    result = json.loads(text)["results"][0]
    stats = result["stats"]
    over = "" if result["verdict"] == "holds" else f" ({result['verdict']})"
    cells = f"{stats['executions']:,} / {stats['blocked']:,}{over} | {usage.ru_utime + usage.ru_stime:.2f}"
    return cells, (result["verdict"], stats["executions"])


def row(name, there, file, *flags):
    reduced, _ = run(file, *flags)
    labelled, found = run(file, *flags, "--no-reduction", "threads")
    unreduced, _ = run(file, *flags, "--no-reduction", "threads,iterations,helping,waits,arrivals")
    assert there is None or found in [("holds", there)] or found[0] == "unknown", (name, there, found)
    print(f"| {name} | {reduced} | {f'{there:,}' if there else ''} | {labelled} | {unreduced} |", flush=True)


def main():
    print("| program | executions / blocked | CPU s | there are | threads told apart | CPU s | no reduction | CPU s |")
    print("|---|---|---|---|---|---|---|---|")
    for name, (put, take, init), sizes in OBJECTS:
        for puts, takes in sizes:
            defines = {"OBJECT": f'"../../examples/{name}.c"', "PUT(x)": put, "TAKE": take, "INIT": init,
                       "PUTS": puts, "TAKES": takes}
            there = COUNTS[name](puts, takes) if name in COUNTS else None
            row(f"{name}.c {puts} × {takes}", there, "bench/programs/puts-and-takes.c",
                *[f"-D{key}={value}" for key, value in defines.items()])
    for readers, writers in [(1, 1), (2, 1), (2, 2), (3, 3), (4, 4)]:
        row(f"reader–writer lock, {readers} + {writers}", locks(readers, writers), LOCK, f"-DREADERS={readers}", f"-DWRITERS={writers}")


main()
