#!/usr/bin/env python3
"""How far `lineal check` gets with every object of examples/ in a minute and in ten: the largest
`--calls N` that one worker finishes under rc11, or the smallest that is violated. Prints a Markdown table.
Usage: bench/check.py [target/release/lineal [words in the names of files, ...]]
LIMITS=60,600: CPU seconds, so that other people's work on the machine does not matter."""

import glob
import json
import os
import re
import resource
import subprocess
import sys

LINEAL = sys.argv[1] if len(sys.argv) > 1 else "target/release/lineal"
ONLY = sys.argv[2:]
LIMITS = [int(limit) for limit in os.environ.get("LIMITS", "60,600").split(",")]
LONGEST = max(LIMITS)
# Sizes that are likely to take so many times the limit are not tried.
FAR = 1
# What holds at one of them holds at those behind it.
LEVELS = ["RID", "RI", "R"]
SIZES = range(1, 17)
FOLDERS = ["deque", "queue", "set", "stack"]


class Run:
    """One run; `verdict` is "cut" if the limit ended it, "refused" if it is no size for the object."""

    def __init__(self, path, level, size):
        self.size = size
        command = [LINEAL, "check", path, "--calls", str(size), "--jobs", "1", "--format", "json", "--time-limit", "none"]
        command += ["--level", level] if level in LEVELS else []
        limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST + 2))
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limit)
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        self.cpu = usage.ru_utime + usage.ru_stime
        self.verdict, self.mib, self.kind = "cut", usage.ru_maxrss / 1024, ""
        if os.WIFEXITED(status):
            results = json.loads(text)["results"]
            self.verdict = results[0]["verdict"] if results else "refused"
            if results:
                self.stats = results[0]["stats"]
                self.mib = self.stats["peak_bytes"] / 2**20
                self.kind = (results[0].get("witness") or {}).get("kind", "")
        else:
            assert os.WTERMSIG(status) in (9, 24), (path, level, size, status)
        print(f"{path} {level} {size}: {self.verdict} {self.kind} {self.cpu:.1f} s, {self.mib:.0f} MiB",
              file=sys.stderr, flush=True)

    def work(self):
        return self.stats["executions"] + self.stats["blocked"]


def grow(path, level):
    """Sizes one by one until one is violated or too large; and why there are no more."""
    done = []
    for size in SIZES:
        if len(done) > 1 and done[-1].cpu > 1:
            # Steps grow: the next one is no smaller than the last.
            expected = done[-1].cpu * done[-1].work() / max(done[-2].work(), 1)
            if expected > FAR * LONGEST:
                return done, f"{size}: not tried, {expected:,.0f} s at the growth so far"
        tried = Run(path, level, size)
        if tried.verdict == "cut":
            return done, f"{size}: over {LONGEST} s, {tried.mib:,.0f} MiB by then"
        if tried.verdict not in ("holds", "violated"):
            return done, f"{size}: {tried.verdict}"
        done.append(tried)
        if tried.verdict == "violated":
            return done, ""
    return done, "as many as there can be"


def cells(best):
    if best is None:
        return ["none", "", "", ""]
    s = best.stats
    word = f"violated ({best.kind}) at" if best.verdict == "violated" else "holds to"
    return [f"{word} {best.size}", f"{s['executions']:,} / {s['blocked']:,}", f"{best.cpu:.2f}", f"{best.mib:,.0f}"]


def rows(path, levels):
    for n, level in enumerate(levels):
        done, end = grow(path, level)
        holds = not done or done[-1].verdict == "holds"
        row = [path.removeprefix("examples/"), ", ".join(levels[n:]) if holds else level]
        for limit in LIMITS:
            row += cells(([run for run in done if run.cpu <= limit] or [None])[-1])
        yield row + [end]
        if holds:
            return


def main():
    head = ["object", "level"]
    for limit in LIMITS:
        head += [f"in {limit} s", "executions / blocked", "CPU s", "MiB"]
    print("| " + " | ".join(head + ["next"]) + " |")
    print("|" + "---|" * (len(head) + 1))
    for path in sorted(sum((glob.glob(f"examples/{folder}/*.c") for folder in FOLDERS), [])):
        text = open(path).read()
        # A specification of its own has no levels; one without operations to check is a type for logs.
        own = "#pragma lineal object spec" in text
        checked = "#pragma lineal object" in text and (not own or "#pragma lineal spec" in text)
        if checked and (not ONLY or any(word in path for word in ONLY)):
            for row in rows(path, ["own"] if own else LEVELS):
                print("| " + " | ".join(row) + " |", flush=True)


main()
