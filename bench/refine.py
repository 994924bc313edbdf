#!/usr/bin/env python3
"""The FM'09 table: states, pairs, seconds of the processor and on the clock, and memory, with every
reduction, without each of them, and without any. Prints a Markdown table.
Usage: bench/refine.py [target/release/lineal]"""

import json
import os
import subprocess
import sys

LINEAL = sys.argv[1] if len(sys.argv) > 1 else "target/release/lineal"
# For runs with reductions off; a run with all of them on is never cut. The largest models get more.
LIMIT = os.environ.get("LIMIT", "60s")
LONG = os.environ.get("LONG", LIMIT)
LARGE = ["mailbox/mailbox-4", "snzi/snzi-3x3"]

# model, seconds and states of PAT in the paper (with its reduction)
ROWS = [
    ("register/register-k4", "5.72 / 43,977"),
    ("register/register-k5", "60.4 / 307,155"),
    ("register/register-k6", "789 / 1,838,177"),
    ("register/register-2readers", "393 / 361,255"),
    ("register/register-faulty", ""),
    ("stack/height-12", "65.9 / 395,345"),
    ("stack/height-14", "99.4 / 599,077"),
    ("stack/height-2x3", "4321 / 4,767,519"),
    ("stack/height-points-12", "0.82 / 9,677"),
    ("stack/height-points-14", "1.11 / 12,963"),
    ("stack/height-points-2x3", "1.56 / 10,385"),
    ("stack/height-points-2x4", "49.4 / 219,471"),
    ("queue/michael-scott-6", "86.2 / 343,446"),
    ("queue/michael-scott-8", "218 / 938,542"),
    ("queue/shann-10", "6.87 / 32,126"),
    ("queue/shann-20", "41.1 / 105,326"),
    ("queue/shann-fixed", ""),
    ("mailbox/mailbox-3", "27.8 / 120,166"),
    ("mailbox/mailbox-4", "954 / 3,696,700"),
    ("snzi/snzi-2x2", "322 / 341,845"),
    ("snzi/snzi-3x3", "6214 / 8,451,568"),
]
FLAGS = ["--no-antichain", "--no-symmetry", "--no-dead-reset", "--no-fusion"]
SETTINGS = [("all on", [])] + [(f, [f]) for f in FLAGS] + [("all off", FLAGS)]


def run(model, flags):
    command = [LINEAL, "refine", f"examples/{model}.csp", "--assert", "1", "--format", "json"]
    command += ["--time-limit", LONG if model in LARGE else LIMIT] if flags else []
    process = subprocess.Popen(command + flags, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    text = process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    result = json.loads(text)["results"][0]
    stats = result["stats"]
    seconds = (usage.ru_utime + usage.ru_stime, stats["seconds"])
    return result["verdict"], stats["states"], stats.get("pairs", 0), seconds, stats["peak_bytes"] / 2**20


def main():
    head = ["model", "verdict", "PAT (s / states)"]
    head += [f"{name}: states / pairs / CPU s / clock s / MiB" for name, _ in SETTINGS]
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for model, paper in ROWS:
        cells = []
        verdict = "?"
        for name, flags in SETTINGS:
            v, states, pairs, (cpu, clock), memory = run(model, flags)
            if name == "all on":
                verdict = v
            if v == "unknown":
                cells.append(f"> {cpu:.0f} / {clock:.0f} s ({states:,} / {pairs:,})")
            else:
                assert v == verdict, (model, name, v)
                cells.append(f"{states:,} / {pairs:,} / {cpu:.2f} / {clock:.2f} / {memory:.0f}")
        print("| " + " | ".join([model, verdict, paper] + cells) + " |", flush=True)


main()
