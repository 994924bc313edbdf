#!/usr/bin/env python3
"""Two builds side by side on the models that CSP# users have: states, seconds of the processor and on the
clock, memory; one worker and two. Prints a Markdown table.
Usage: bench/search.py BEFORE AFTER"""

import json
import os
import subprocess
import sys

LIMIT = os.environ.get("LIMIT", "60s")

# name, file, flags that both builds know, flags of the second one only
ROWS = [
    ("stack 2, 3 processes", "examples/stack/height-2x3.csp", [], []),
    ("stack 2, 4 processes", "bench/models/height-2x4.csp", [], []),
    ("stack 2, 5 processes", "bench/models/height-2x5.csp", [], []),
    ("stack 2, 6 processes", "bench/models/height-2x6.csp", [], []),
    ("register K = 4", "examples/register/register-k4.csp", [], []),
    ("register K = 5", "examples/register/register-k5.csp", [], []),
    ("register K = 6", "examples/register/register-k6.csp", [], []),
    ("SNZI 3×3", "examples/snzi/snzi-3x3.csp", [], []),
    ("mailbox 4", "examples/mailbox/mailbox-4.csp", [], []),
    ("Michael–Scott 8", "examples/queue/michael-scott-8.csp", [], []),
    ("Michael–Scott 6, all off", "examples/queue/michael-scott-6.csp",
     ["--no-antichain", "--no-symmetry", "--no-dead-reset", "--no-fusion"], []),
    ("philosophers 10, deadlock", "bench/models/dining-10.csp", [], []),
    ("philosophers 8, ordered", "bench/models/dining-ordered-8.csp", [], []),
    ("equal processes 12", "bench/models/copies-12.csp", [], []),
    ("exchangeable processes 8", "bench/models/token-8.csp", [], []),
    ("fetch-and-increment by type, 4", "bench/models/fai-4.csp", [], []),
    ("peg solitaire", "bench/models/solitaire.csp", [], ["--search", "depth"]),
]


def run(binary, file, flags):
    command = [binary, "refine", file, "--assert", "1", "--format", "json", "--time-limit", LIMIT]
    process = subprocess.Popen(command + flags, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    text = process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    result = json.loads(text)["results"][0]
    stats = result["stats"]
    return result["verdict"], stats["states"], usage.ru_utime + usage.ru_stime, stats["seconds"], usage.ru_maxrss / 1024


def cell(answer):
    verdict, states, cpu, clock, memory = answer
    cut = "> " if verdict == "unknown" else ""
    return f"{cut}{states:,} / {cpu:.2f} / {clock:.2f} / {memory:.0f}"


def main():
    before, after = sys.argv[1:3]
    head = ["model", "verdict", "before", "before, 2 jobs", "after", "after, 2 jobs"]
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for name, file, flags, more in ROWS:
        cells, verdicts = [], set()
        for binary, extra in ((before, []), (after, more)):
            for jobs in ("1", "2"):
                answer = run(binary, file, flags + extra + ["--jobs", jobs])
                verdicts.add(answer[0])
                cells.append(cell(answer))
        verdicts.discard("unknown")
        assert len(verdicts) <= 1, (name, verdicts)
        print("| " + " | ".join([name, *(verdicts or {"unknown"}), *cells]) + " |", flush=True)


main()
