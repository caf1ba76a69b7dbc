#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A hundred small runs by carom.study against a loop of the shell:  bench/study.py [--runs 100] [--jobs 2]

The loop starts `carom run` a hundred times, one after the other; xargs starts as many at a time as the study does. The study ends
with a table of all runs. All write the same results: their hashes are compared. Needs $CAROM or build/carom."""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))
import carom  # noqa: E402

SCENE = """
title: Impact of two bars
integrator: newmark-dcr
time: {end: 40, step: 0.05}
bodies:
  - name: left
    mesh: {line: {from: [-10, 0, 0], to: [0, 0, 0], elements: 100}}
    element: {bar: {area: 1}}
    material: {linear: {young: 1, density: 1}}
    velocity: [0.1, 0, 0]
  - name: right
    mesh: {line: {from: [0, 0, 0], to: [10, 0, 0], elements: 100}}
    element: {bar: {area: 1}}
    material: {linear: {young: 1, density: 1}}
contact: {restitution: 0}
"""
KEY = "bodies[1].material.linear.density"


def timed(command):
    begin = time.monotonic()
    subprocess.run(["sh", "-c", command], check=True)
    return time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description="Times a study of small runs against a loop of the shell.")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    command = os.environ.get("CAROM") or str(ROOT / "build" / "carom")
    values = [1 + 0.01 * i for i in range(arguments.runs)]
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        scene = place / "bars.yaml"
        scene.write_text(SCENE, encoding="utf-8")
        lines = [f"'{command}' run '{scene}' -o '{place}/loop/{i}' --set '{KEY}={value!r}' --threads 1 --quiet\n" for i, value in enumerate(values)]
        loop = timed("set -e\n" + "".join(lines))
        (place / "lines").write_text("".join(lines).replace("/loop/", "/xargs/"), encoding="utf-8")
        xargs = timed(f"xargs -P {arguments.jobs} -I LINE sh -c LINE <'{place}/lines'".replace("-I LINE", "-d '\\n' -I LINE"))
        begin = time.monotonic()
        study = carom.study(scene, place / "study", {KEY: values}, jobs=arguments.jobs)
        rows = len(study.table)
        seconds = time.monotonic() - begin
        hashes = [json.loads((place / "loop" / str(i) / "summary.json").read_text(encoding="utf-8"))["state_hash"] for i in range(len(values))]
        same = sum(a == b.summary["state_hash"] for a, b in zip(hashes, study.results))
    print(f"{arguments.runs} runs: loop of the shell {loop:.2f} s, xargs -P {arguments.jobs} {xargs:.2f} s, "
          f"study on {arguments.jobs} processes {seconds:.2f} s with a table of {rows} rows; {same} equal hashes")
    return 0 if same == len(values) == rows else 1


if __name__ == "__main__":
    sys.exit(main())
