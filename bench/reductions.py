#!/usr/bin/env python3
"""Each reduction of `lineal check` on and off, alone and together, on every object of examples/: the
same verdicts, and the executions that each saves. Prints a Markdown table of the largest size, up to
CALLS, that ends without any of them in LIMIT seconds of the processor (60).
Usage: bench/reductions.py [target/release/lineal [words in the names of files, ...]]"""

import glob
import json
import os
import resource
import subprocess
import sys

LINEAL = sys.argv[1] if len(sys.argv) > 1 else "target/release/lineal"
ONLY = sys.argv[2:]
LIMIT = int(os.environ.get("LIMIT", "60"))
CALLS = int(os.environ.get("CALLS", "5"))
NAMES = ["iterations", "waits", "calls", "helping", "idle", "starving"]


def run(path, calls, off):
    """Verdict, kind and executions; nothing if it takes too long."""
    command = [LINEAL, "check", path, "--calls", str(calls), "--jobs", "1", "--format", "json", "--time-limit", "none"]
    command += ["--no-reduction", ",".join(off)] if off else []
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 2))
    process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limit)
    if process.returncode < 0:
        return None
    result = json.loads(process.stdout)["results"][0]
    kind = (result.get("witness") or {}).get("kind", "")
    stats = result["stats"]
    return (result["verdict"], kind), f"{stats['executions']:,} / {stats['blocked']:,}"


def row(path):
    last = None
    for calls in range(1, CALLS + 1):
        none = run(path, calls, NAMES)
        if none is None:
            break
        ways = [[]] + [[name] for name in NAMES]
        answers = [run(path, calls, off) for off in ways]
        for off, answer in zip(ways, answers):
            # Alone, a reduction may cost more than all together save.
            if answer is not None:
                assert answer[0] == none[0], (path, calls, off, answer, none)
        last = [str(calls), " ".join(none[0]).strip()] + [a[1] if a else "over" for a in answers + [none]]
        if none[0][0] == "violated":
            break
    name = path.removeprefix("examples/")
    print("| " + " | ".join([name] + (last or ["none"])) + " |", flush=True)


def main():
    print("| " + " | ".join(["object", "calls", "verdict", "all"] + [f"no {n}" for n in NAMES] + ["none"]) + " |")
    print("|" + "---|" * (len(NAMES) + 5))
    for path in sorted(sum((glob.glob(f"examples/{f}/*.c") for f in ["deque", "queue", "set", "stack"]), [])):
        text = open(path).read()
        own = "#pragma lineal object spec" in text
        checked = "#pragma lineal object" in text and (not own or "#pragma lineal spec" in text)
        if checked and (not ONLY or any(word in path for word in ONLY)):
            row(path)


main()
