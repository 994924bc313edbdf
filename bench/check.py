#!/usr/bin/env python3
"""How far `lineal check` gets with every object of examples/ in a minute: the largest number of
calls, in all (--calls 5) and of each operation (3+2), that one worker finishes under rc11, or the
smallest that is violated. Prints a Markdown table.
Usage: bench/check.py [target/release/lineal [words in the names of files, ...]]"""

import glob
import json
import os
import re
import resource
import subprocess
import sys

LINEAL = sys.argv[1] if len(sys.argv) > 1 else "target/release/lineal"
ONLY = sys.argv[2:]
# CPU seconds, so that other people's work on the machine does not matter.
LIMIT = int(os.environ.get("LIMIT", "60"))
# Sizes that are likely to take so many times the limit are not tried.
FAR = 2
LEVELS = ["R", "RI", "RID"]
# LEVELS=R takes these levels only, FORMS=total only calls in all.
ASKED = os.environ.get("LEVELS", "R,RI,RID").split(",")
FORMS = os.environ.get("FORMS", "total,each").split(",")
TOTALS = list(range(1, 17))
PAIRS = [(2, 2), (3, 2), (3, 3), (4, 3), (4, 4), (5, 4), (5, 5), (6, 5)]


class Run:
    """One run; `verdict` is "cut" if the limit ended it."""

    def __init__(self, path, level, size, calls):
        self.size = size
        command = [LINEAL, "check", path, "--calls", calls, "--jobs", "1", "--format", "json", "--time-limit", "none"]
        command += ["--level", level] if level in LEVELS else []
        limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 2))
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limit)
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        self.cpu = usage.ru_utime + usage.ru_stime
        self.verdict, self.mib, self.kind = "cut", usage.ru_maxrss / 1024, ""
        if os.WIFEXITED(status):
            result = json.loads(text)["results"][0]
            self.verdict, self.stats = result["verdict"], result["stats"]
            self.mib = self.stats["peak_bytes"] / 2**20
            self.kind = (result.get("witness") or {}).get("kind", "")
        else:
            assert os.WTERMSIG(status) in (9, 24), (path, level, calls, status)
        print(f"{path} {level} {calls}: {self.verdict} {self.kind} {self.cpu:.1f} s, {self.mib:.0f} MiB",
              file=sys.stderr, flush=True)

    def work(self):
        return self.stats["executions"] + self.stats["blocked"]

    def late(self):
        return f"{shown(self.size)}: over {LIMIT} s, {self.mib:.0f} MiB by then"


def largest(sizes, run, period):
    """The largest size that ends in time, or the one that is violated; and what became of the next.
    Every `period` sizes, the step to the next one adds a call of the same operation."""
    done = []
    for size in sizes:
        if len(done) > period and done[-1].cpu > 1:
            # Steps grow: the next one is no smaller than the last of its kind.
            growth = done[-period].work() / max(done[-period - 1].work(), 1)
            expected = done[-1].cpu * growth
            if expected > FAR * LIMIT:
                return done[-1], f"{shown(size)}: not tried, {expected:.0f} s at the growth so far"
        tried = run(size)
        if tried.verdict == "cut":
            return (done or [None])[-1], tried.late()
        done.append(tried)
        if tried.verdict != "holds":
            return tried, ""
    return done[-1], "no larger one was asked for"


def shown(size):
    return str(size) if isinstance(size, int) else f"{size[0]}+{size[1]}"


def cells(best, after):
    if best is None:
        return ["none", "", "", "", "", "", after]
    s = best.stats
    word = f"violated ({best.kind}) at" if best.verdict == "violated" else f"{best.verdict} to"
    return [f"{word} {shown(best.size)}", f"{s['clients']:,}", f"{s['executions']:,}", f"{s['blocked']:,}",
            f"{best.cpu:.1f}", f"{best.mib:.0f}", after]


def rows(path, operations, levels):
    """One row a level. Executions do not depend on the level as long as it holds: what R reaches is
    where the others are tried first."""
    reached = {}
    for level in levels:
        row = [path.removeprefix("examples/"), level]
        for form, sizes in [("total", TOTALS), ("each", PAIRS)]:
            if form not in FORMS:
                continue
            def run(size):
                pair = isinstance(size, tuple) and zip(operations, size)
                return Run(path, level, size, ",".join(f"{o}={n}" for o, n in pair) if pair else str(size))

            best, after = None, ""
            if form in reached:
                at, after = reached[form]
                best = run(sizes[at])
                while best.verdict == "cut" and at > 0:
                    at, after = at - 1, best.late()
                    best = run(sizes[at])
            if best is None or best.verdict != "holds":
                best, after = largest(sizes, run, 2 if form == "each" else 1)
            if best and best.verdict == "holds":
                reached[form] = (sizes.index(best.size), after)
            row += cells(best, after)
        yield row


def main():
    one = ["calls in all", "clients", "executions", "blocked", "CPU s", "MiB", "next"]
    head = ["object", "level"] + (one if "total" in FORMS else [])
    head += ["calls of each"] + one[1:] if "each" in FORMS else []
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for path in sorted(glob.glob("examples/*/*.c")):
        text = open(path).read()
        operations = re.findall(r"^#pragma lineal op\s+(\w+)", text, re.M)
        wanted = not ONLY or any(word in path for word in ONLY)
        # A specification of its own has no levels; one without operations to check is a type for logs.
        own = "#pragma lineal object spec" in text
        checked = "#pragma lineal object" in text and (not own or "#pragma lineal spec" in text)
        if checked and len(operations) == 2 and wanted:
            for row in rows(path, operations, ["own"] if own else ASKED):
                print("| " + " | ".join(row) + " |", flush=True)


main()
