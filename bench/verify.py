#!/usr/bin/env python3
"""The first target table of execution-graph exploration: CPU seconds, executions, memory, and what
two workers bring. Prints a Markdown table. Usage: bench/verify.py [target/release/lineal [OTHER]]; with
OTHER, an older build, only the CPU seconds of both, taken in turn, and their ratio."""

import json
import os
import subprocess
import sys
import time

LINEAL = sys.argv[1] if len(sys.argv) > 1 else "target/release/lineal"
OTHER = sys.argv[2] if len(sys.argv) > 2 else None
RUNS = int(os.environ.get("RUNS", "3"))

# program, executions (None: ours to say), CPU seconds and microseconds per execution of GenMC
# v0.11.0 (rc11, one thread, on our machine of the day), target in CPU seconds
ROWS = [
    ("increment", 40_320, 1.14, 27.5, 0.23),
    ("cas-chain", 38_486, 0.22, 4.9, 0.04),
    ("double-writers", 2_073_600, 8.99, 4.3, 1.8),
    ("last-zero", 15_360, 0.69, 43, 0.14),
    ("readers", 32_768, 1.17, 34.8, 0.23),
    ("three-counters", 13_824, 0.37, 24.6, 0.07),
    ("hash-table", 4_096, 1.76, 422, 0.35),
    ("four-variables", None, 13.9, 4.7, 2.8),
    ("fibonacci", 525_630, 2.75, 5.2, 0.55),
    ("herlihy-wing", None, 1.22, 25.5, 0.24),
]


def run(program, *flags, lineal=LINEAL):
    command = [lineal, "verify", f"bench/programs/{program}.c", "--no-symmetry", "--format", "json", "--time-limit", "600s", *flags]
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    text = process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - begin
    result = json.loads(text)["results"][0]
    assert result["verdict"] == "holds", (program, result["verdict"])
    return result["stats"], usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024


def best(program, *flags):
    """The quickest of a few runs: the machine is shared."""
    return min((run(program, *flags) for _ in range(RUNS)), key=lambda r: r[1])


def compare():
    print("| program | executions | before | now | ratio |")
    print("|---|---|---|---|---|")
    for program, *_ in ROWS:
        pairs = [[run(program, lineal=lineal)[:2] for lineal in (OTHER, LINEAL)] for _ in range(RUNS)]
        assert all(then[0]["executions"] == now[0]["executions"] for then, now in pairs), program
        before, after = (min(pair[i][1] for pair in pairs) for i in range(2))
        executions = pairs[0][0][0]["executions"]
        print(f"| {program} | {executions:,} | {before:.2f} | {after:.2f} | {after / before:.2f} |", flush=True)


def main():
    print("| program | executions | blocked | CPU s | target | GenMC | GenMC / ours, per execution |"
          " MiB | wall s, 1 worker | wall s, 2 workers | CPU s, 2 workers |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for program, expected, genmc, each, target in ROWS:
        stats, cpu, wall, memory = best(program)
        executions = stats["executions"]
        assert expected in (None, executions), (program, executions)
        two, cpu2, wall2, _ = best(program, "--jobs", "2")
        assert two["executions"] == executions, (program, two)
        ratio = each / (cpu / executions * 1e6)
        print(f"| {program} | {executions:,} | {stats['blocked']:,} | {cpu:.2f} | {target} | {genmc} |"
              f" {ratio:.0f} | {memory:.0f} | {wall:.2f} | {wall2:.2f} | {cpu2:.2f} |", flush=True)


compare() if OTHER else main()
