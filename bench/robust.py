#!/usr/bin/env python3
"""How far `lineal robust` gets: usage: bench/robust.py target/release/lineal [NAME]
or, about proofs for every client: bench/robust.py target/release/lineal --proofs

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
    return run_all(lineal, path, flags)[:3]


def run_all(lineal, path, flags):
    command = [lineal, "robust", os.path.basename(path), *flags, "--format", "json", "--time-limit", f"{int(LIMIT * 3)}s"]
    child = subprocess.Popen(command, cwd=os.path.dirname(path), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    text = child.stdout.read()
    _, _, usage = os.wait4(child.pid, 0)
    result = json.loads(text)["results"][0]
    return result["verdict"], result["stats"], usage.ru_utime + usage.ru_stime, result.get("remarks", [])


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


FACTS = ["updates", "unique", "owned", "grows", "lock", "turn", "ring", "list", "stated"]


def proofs(lineal, root):
    """Each row whose header asks for a proof that there is, with all facts, and without each."""
    head = ["object", "flags", "locations", "relaxed", "acq/rel", "accesses", "formulas", "clauses", "CPU s"]
    print(f"| {' | '.join(head + [f'no {fact}' for fact in FACTS])} |\n|{'---|' * (len(head) + len(FACTS))}")
    for name in sorted(f for f in os.listdir(os.path.join(root, "robust")) if f.endswith(".c")):
        path = os.path.normpath(os.path.join(root, "robust", name))
        for flags in (f for f in asked(path) if "--prove" in f):
            verdict, stats, seconds, remarks = run_all(lineal, path, flags)
            if verdict != "holds":
                continue
            size = re.search(r"about (\d+) class\w* of locations and (\d+) accesses, (\d+) of them", " ".join(remarks))
            locations, accesses, relaxed = (int(n) for n in size.groups())
            cells = [name, " ".join(f for f in flags if f != "--prove")]
            cells += [locations, relaxed, accesses - relaxed, accesses]
            cells += [stats["obligations"], f"{stats['clauses']:,}", f"{seconds:.2f}"]
            for fact in FACTS:
                verdict, _, seconds, _ = run_all(lineal, path, [*flags, "--no-fact", fact])
                cells.append(f"{seconds:.2f}" if verdict == "holds" else "unknown")
            print(f"| {' | '.join(str(c) for c in cells)} |", flush=True)


def main():
    lineal = os.path.abspath(sys.argv[1])
    if sys.argv[2:] == ["--proofs"]:
        return proofs(lineal, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples"))
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples")
    print("| object | flags | verdict | clients | executions | blocked | CPU s |\n|---|---|---|---|---|---|---|")
    own = sorted(f"robust/{f}" for f in os.listdir(os.path.join(root, "robust")) if f.endswith(".c"))
    for name in own + OTHERS:
        if wanted not in name:
            continue
        path = os.path.normpath(os.path.join(root, name))
        lines = list(asked(path)) or [["--calls", "3"]]
        for flags in (f for f in lines if "--prove" not in f):
            verdict, stats, seconds = run(lineal, path, flags)
            row(path, flags, verdict, stats, seconds)
            # Larger clients, as long as none of them shows anything.
            while verdict == "holds" and "--calls" in flags and seconds < LIMIT / 6:
                at = flags.index("--calls") + 1
                flags = flags[:at] + [str(int(flags[at]) + 1)] + flags[at + 1 :]
                verdict, stats, seconds = run(lineal, path, flags)
                row(path, flags, verdict, stats, seconds)


main()
