#!/usr/bin/env python3
"""What fences between calls of different objects cost: bench/programs/pipeline.c with and without, in turn.
Prints a Markdown table: median CPU nanoseconds for each number, and the ratio of neighbouring runs.
Usage: bench/pipeline.py [rounds]"""

import os
import statistics
import subprocess
import sys
import tempfile

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 15
NUMBERS = 1_000_000


def seconds(binary, pairs):
    before = os.times()
    subprocess.run([binary, str(pairs), str(NUMBERS)], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return (after.children_user - before.children_user + after.children_system - before.children_system) * 1e9 / NUMBERS


def main():
    print("| work a step | threads | without, ns | with, ns | fences cost |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as where:
        for work in [0, 100, 300, 1000, 3000]:
            built = []
            for name, flags in [("without", []), ("with", ["-DFENCES"])]:
                built.append(f"{where}/{name}")
                subprocess.run(["cc", "-O2", "-pthread", f"-DWORK={work}", *flags, "-o", built[-1],
                                "bench/programs/pipeline.c"], check=True)
            for pairs in [1, 2]:
                runs = [(seconds(built[0], pairs), seconds(built[1], pairs)) for _ in range(ROUNDS)]
                without, fenced = (statistics.median(r[i] for r in runs) for i in (0, 1))
                cost = statistics.median(b / a for a, b in runs) - 1
                print(f"| {work} | {3 * pairs} | {without:.0f} | {fenced:.0f} | {100 * cost:+.1f} % |", flush=True)


main()
