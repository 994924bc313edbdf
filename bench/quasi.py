#!/usr/bin/env python3
"""The tables of Adhikari and others (SPIN 2013): verdicts, states, pairs and seconds of the processor
beside those of the paper. Prints three Markdown tables.
Usage: bench/quasi.py [target/release/lineal]"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

LINEAL = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "target/release/lineal")
EXAMPLES = "examples/quasi"

# factor, segments, seconds and states in the paper; None: it ran out of memory
BY_HAND = [
    (1, 1, 0.1, 423), (1, 2, 0.1, 2310), (1, 3, 0.1, 8002), (1, 4, 0.4, 22327), (1, 5, 0.9, 55173),
    (1, 6, 2.0, 126547), (1, 10, 55.9, 2488052), (1, 15, None, None),
    (2, 1, 0.6, 26605), (2, 2, 12.6, 456397), (2, 3, 130.7, 4484213), (2, 4, None, None),
    (3, 1, 8.8, 284484), (3, 2, None, None), (4, 1, 124.4, 3432702), (4, 2, None, None),
]
# what, model, number of the assertion about linearizability and of the relaxed one, the paper's verdict,
# seconds and states
AUTOMATIC = [
    ("Quasi queue (3)", "segmented-queue-3", 1, 2, "yes", 7.2, 126810),
    ("Quasi queue (6)", "segmented-queue-6", 1, 2, "yes", 21.2, 237760),
    ("Quasi queue (9)", "segmented-queue-9", 1, 2, "yes", 114.5, 1741921),
    ("Queue buggy1", "segmented-queue-buggy1", 2, 1, "no", 0.4, 1204),
    ("Queue buggy2", "segmented-queue-buggy2", 2, 1, "no", 0.1, 345),
    ("Lin. queue", "linearizable-queue", 1, 2, "yes", 5.5, 240583),
    ("Quasi PQ (3), literal", "segmented-pq-3", 1, 2, "yes", 12.2, 106385),
    ("Quasi PQ (6), literal", "segmented-pq-6", 1, 2, "yes", 34.3, 472981),
    ("Quasi PQ (9), literal", "segmented-pq-9", 1, 2, "yes", 198.4, 1478045),
    ("PQ buggy, literal", "segmented-pq-buggy", 2, 1, "no", 5.4, 894),
    ("Lin. stack", "linearizable-stack", 1, 2, "yes", 0.2, 2690),
]
# The same where both processes do everything, with as many items as it takes to have as many states as
# the paper, or as end within the time: what, segments, items, seconds and states
LARGER_QUEUES = [
    ("Quasi queue (3)", 3, 8, 7.2, 126810),
    ("Quasi queue (6)", 6, 9, 21.2, 237760),
    ("Quasi queue (9)", 9, 11, 114.5, 1741921),
    ("Lin. queue", 6, 6, 5.5, 240583),
]
# what, items, seconds and states
LARGER_PRIORITY_QUEUES = [
    ("Quasi PQ (3), literal", 5, 12.2, 106385),
    ("Quasi PQ (6), literal", 6, 34.3, 472981),
    ("Quasi PQ (9), literal", 7, 198.4, 1478045),
]
LARGER_QUEUE = """#define N 2;
#define ENQUEUERS 2;
#define SIZE {size};
#define SEGS {segments};
#define PUTS {items};
#define BUG 0;
#include "segmented.inc"
#assert Queue() linearizable queue quasi dequeue=2;
"""
LARGER_PRIORITY_QUEUE = """#define N 2;
#define PUTTERS 2;
#define TAKERS 2;
#define SIZE 3;
#define ITEMS {items};
#define BUG 0;
#include "segmented-pq.inc"
#assert Queue() linearizable pq quasi remove=2 literal;
"""
MODEL = """#define N 2;
#define ENQUEUERS 1;
#define SIZE {size};
#define SEGS {segments};
#define PUTS (SIZE * SEGS);
#define BUG 0;
#include "segmented.inc"
#include "by-hand.inc"
#assert Queue() refines Clusters();
"""


def run(model, assertion):
    """The result, and the seconds of the processor that the whole run takes: the best of three."""
    command = [LINEAL, "refine", model, "--assert", str(assertion), "--format", "json", "--time-limit", "300s"]
    best = None
    for _ in range(3):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        text = process.stdout.read()
        _, _, usage = os.wait4(process.pid, 0)
        seconds = usage.ru_utime + usage.ru_stime
        if best is None or seconds < best[1]:
            best = (json.loads(text)["results"][0], seconds)
        if seconds > 5:
            break
    return best


def times(paper, ours):
    return "—" if paper is None else f"{paper / max(ours, 0.0001):.0f}×"


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |")


def main():
    print("A relaxed specification by hand (their Table 1): `Queue() refines Clusters()`.\n")
    row("factor", "segments", "verdict", "states", "pairs", "CPU s", "paper: s", "states", "faster")
    row(*["---"] * 9)
    with tempfile.TemporaryDirectory() as folder:
        for name in ["segmented.inc", "by-hand.inc"]:
            shutil.copy(os.path.join(EXAMPLES, name), folder)
        for factor, segments, seconds, states in BY_HAND:
            model = os.path.join(folder, "model.csp")
            with open(model, "w") as file:
                file.write(MODEL.format(size=factor + 1, segments=segments))
            result, took = run(model, 1)
            stats = result["stats"]
            row(factor, segments, result["verdict"], stats["states"], stats.get("pairs", 0),
                f"{took:.3f}", seconds or "out of memory", states or "", times(seconds, took))
    print("\nA factor in the assertion (their Tables 3 and 4): two processes, a factor of 2.\n")
    row("class", "linearizable", "quasi", "paper", "states", "pairs", "CPU s", "paper: s", "states", "faster")
    row(*["---"] * 10)
    word = {"holds": "yes", "violated": "no", "unknown": "unknown"}
    for what, model, exact, relaxed, expected, seconds, states in AUTOMATIC:
        path = os.path.join(EXAMPLES, model + ".csp")
        (plain, _), (result, took) = run(path, exact), run(path, relaxed)
        stats = result["stats"]
        row(what, word[plain["verdict"]], word[result["verdict"]], expected, stats["states"],
            stats.get("pairs", 0), f"{took:.3f}", seconds, states, times(seconds, took))
    print("\nThe same where both processes do everything.\n")
    row("class", "items", "quasi", "states", "pairs", "CPU s", "paper: s", "states", "faster", "per state")
    row(*["---"] * 10)
    with tempfile.TemporaryDirectory() as folder:
        for name in ["segmented.inc", "segmented-pq.inc"]:
            shutil.copy(os.path.join(EXAMPLES, name), folder)
        models = [(what, items, LARGER_QUEUE.format(size=1 if "Lin" in what else 3, segments=segments, items=items), seconds, states)
                  for what, segments, items, seconds, states in LARGER_QUEUES]
        models += [(what, items, LARGER_PRIORITY_QUEUE.format(items=items), seconds, states)
                   for what, items, seconds, states in LARGER_PRIORITY_QUEUES]
        for what, items, text, seconds, states in models:
            model = os.path.join(folder, "model.csp")
            with open(model, "w") as file:
                file.write(text)
            result, took = run(model, 1)
            stats = result["stats"]
            rate = f"{seconds / states * stats['states'] / max(took, 0.0001):.1f}×"
            row(what, items, word[result["verdict"]], stats["states"], stats.get("pairs", 0), f"{took:.3f}",
                seconds, states, times(seconds, took), rate)


main()
