#!/usr/bin/env python3
"""Programs with retry loops: executions with and without reductions, CPU seconds. Prints a Markdown
table. Usage: bench/retry.py [target/release/lineal]"""

import json
import os
import subprocess
import sys

LINEAL = sys.argv[1] if len(sys.argv) > 1 else "target/release/lineal"
LIMIT = os.environ.get("LIMIT", "60s")
QUEUE = ("queue_enqueue(&queue,x)", "queue_dequeue(&queue)", "queue_init(&queue)")
RING = ("enqueue(x)", "dequeue()", "start()")
STACK = ("stack_push(&stack,x)", "stack_pop(&stack)", "stack_init(&stack)")
OBJECTS = [
    ("queue/michael-scott-heap", QUEUE, [(2, 2), (3, 3), (4, 4)]),
    ("queue/optimistic", QUEUE, [(2, 2), (3, 3), (4, 4)]),
    ("queue/baskets", QUEUE, [(2, 2), (3, 3)]),
    ("robust/mpmc-ring", RING, [(2, 2), (3, 3), (4, 4)]),
    ("stack/treiber-heap", STACK, [(2, 2), (3, 3), (4, 4)]),
]
LOCK = "tests/c/retry/reader_writer_lock.c"


def run(file, *flags):
    command = [LINEAL, "verify", file, "--format", "json", "--time-limit", LIMIT, *flags]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    text = process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    result = json.loads(text)["results"][0]
    stats = result["stats"]
    over = "" if result["verdict"] == "holds" else f" ({result['verdict']})"
    return f"{stats['executions']:,} / {stats['blocked']:,}{over} | {usage.ru_utime + usage.ru_stime:.2f}"


def row(name, file, *flags):
    reduced = run(file, *flags)
    labelled = run(file, *flags, "--no-reduction", "threads")
    unreduced = run(file, *flags, "--no-reduction", "threads,iterations,helping")
    print(f"| {name} | {reduced} | {labelled} | {unreduced} |", flush=True)


def main():
    print("| program | executions / blocked | CPU s | threads told apart | CPU s | no reduction | CPU s |")
    print("|---|---|---|---|---|---|---|")
    for name, (put, take, init), sizes in OBJECTS:
        for puts, takes in sizes:
            defines = {"OBJECT": f'"../../examples/{name}.c"', "PUT(x)": put, "TAKE": take, "INIT": init,
                       "PUTS": puts, "TAKES": takes}
            row(f"{name}.c {puts} × {takes}", "bench/programs/puts-and-takes.c",
                *[f"-D{key}={value}" for key, value in defines.items()])
    for readers, writers in [(1, 1), (2, 1), (2, 2), (3, 3), (4, 4)]:
        row(f"reader–writer lock, {readers} + {writers}", LOCK, f"-DREADERS={readers}", f"-DWRITERS={writers}")


main()
