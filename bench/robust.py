#!/usr/bin/env python3
"""How far `lineal robust` gets: usage: bench/robust.py target/release/lineal [NAME]

For each object of examples/robust and some others, as its header asks, and then with one more call as
long as that may end within LIMIT seconds of the processor (20 if not given): clients, executions,
blocked ones, seconds."""
import json
import os
import re
import subprocess
import sys

LIMIT = float(os.environ.get("LIMIT", "20"))
OTHERS = [
    "queue/front-back.c",
    "queue/michael-scott-heap.c",
    "queue/herlihy-wing.c",
    "queue/optimistic.c",
    "queue/baskets.c",
    "stack/treiber-heap.c",
    "stack/timestamped.c",
    "deque/chase-lev-object.c",
    "set/harris-list.c",
]


def run(lineal, path, flags):
    command = [lineal, "robust", os.path.basename(path), *flags, "--format", "json", "--time-limit", f"{int(LIMIT * 3)}s"]
    child = subprocess.Popen(command, cwd=os.path.dirname(path), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    text = child.stdout.read()
    _, _, usage = os.wait4(child.pid, 0)
    result = json.loads(text)["results"][0]
    return result["verdict"], result["stats"], usage.ru_utime + usage.ru_stime


def asked(path):
    for line in open(path):
        found = re.match(r"//@ run: robust(.*)", line)
        if found and "--weaken" not in found[1]:
            yield found[1].split()


def row(path, flags, verdict, stats, seconds):
    shown = " ".join(flags)
    print(
        f"| {path.split('examples/')[1]} | {shown} | {verdict} | {stats['clients'] or ''} | {stats['executions']:,} "
        f"| {stats['blocked']:,} | {seconds:.2f} |",
        flush=True,
    )


def main():
    lineal = os.path.abspath(sys.argv[1])
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples")
    print("| object | flags | verdict | clients | executions | blocked | CPU s |\n|---|---|---|---|---|---|---|")
    own = sorted(f"robust/{f}" for f in os.listdir(os.path.join(root, "robust")) if f.endswith(".c"))
    for name in own + OTHERS:
        if wanted not in name:
            continue
        path = os.path.normpath(os.path.join(root, name))
        lines = list(asked(path)) or [["--calls", "3"]]
        for flags in lines:
            verdict, stats, seconds = run(lineal, path, flags)
            row(path, flags, verdict, stats, seconds)
            # Larger clients, as long as none of them shows anything.
            while verdict == "holds" and "--calls" in flags and seconds < LIMIT / 6:
                at = flags.index("--calls") + 1
                flags = flags[:at] + [str(int(flags[at]) + 1)] + flags[at + 1 :]
                verdict, stats, seconds = run(lineal, path, flags)
                row(path, flags, verdict, stats, seconds)


main()
