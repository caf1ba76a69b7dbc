#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the scenes of degenerate contact geometry by several methods and prints the tables of docs/theory/nonsmooth_degenerate.md again.

    python3 docs/theory/measure_degenerate.py [--carom build/carom] [--integrators A,B] [--set KEY=VALUE]... [SCENE...]

Some minutes. Needs nothing but the command and the standard library.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLACE = ROOT / "scenes" / "papers" / "nonsmooth" / "degenerate"


COLUMNS = ["scene", "steps", "impulses", "most passes", "halved", "events", "intersections", "overlap", "P", "L", "energy %", "residual %",
           "CPU s"]


def measure(carom, scene, integrator, overrides):
    """One row of a table: the results of one scene by one method, on one thread."""
    with tempfile.TemporaryDirectory() as place:
        command = [carom, "run", scene, "-q", "-o", place, "--threads", "1", "--set", f"integrator={integrator}"]
        for override in overrides:
            command += ["--set", override]
        before = os.times().children_user
        run = subprocess.run(command, capture_output=True, text=True)
        seconds = os.times().children_user - before
        path = pathlib.Path(place) / "summary.json"
        if run.returncode not in (0, 1, 3) or not path.exists():
            return [scene.stem, run.stderr.strip().splitlines()[-1]]
        summary = json.loads(path.read_text())
        printed = subprocess.run([ROOT / "tools" / "measure_overlap", place], capture_output=True, text=True, check=True).stdout
        overlap = float(re.search(r"largest overlap (\S+)", printed)[1])
    percent = 100 / (summary["scales"]["energy"] or 1)
    first, last = summary["ledger"]["first"], summary["ledger"]["last"]
    events = [f"{count} {name}" for name, count in summary["events"].items() if count]
    if run.returncode == 3:
        events.append("ended early")
    solver = summary.get("solver", {})
    return [scene.stem, summary["steps"], summary["contact_events"], solver.get("most_passes", ""), solver.get("halved", ""), ", ".join(events),
            summary["intersections"], f"{overlap:.0e}", f"{summary['momentum_error']:.0e}", f"{summary['angular_momentum_error']:.0e}",
            f"{percent * (last['total'] - first['total']):+.2f}", f"{100 * summary['energy_error']:.3f}", f"{seconds:.1f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--carom", default=ROOT / "build" / "carom")
    parser.add_argument("--integrators", default="nonsmooth-newmark,newmark-dcr")
    parser.add_argument("--set", action="append", default=[], dest="overrides")
    parser.add_argument("scenes", nargs="*")
    options = parser.parse_args()
    scenes = [scene for scene in sorted(PLACE.glob("*.yaml")) if scene.stem in (options.scenes or [scene.stem])]
    for integrator in options.integrators.split(","):
        print(f"`{integrator}`:\n\n| " + " | ".join(COLUMNS) + " |\n|" + "---|" * len(COLUMNS))
        for scene in scenes:
            print("| " + " | ".join(map(str, measure(options.carom, scene, integrator, options.overrides))) + " |", flush=True)
        print()


if __name__ == "__main__":
    main()
