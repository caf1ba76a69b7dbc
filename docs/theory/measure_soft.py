#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drops soft bodies onto a floor and onto each other, and prints the table "Soft bodies" of docs/theory/step.md again.

    python3 docs/theory/measure_soft.py [--carom build/carom] [--end 3] [--fixed] [--keep DIR] [WORD...]

WORDs select cases by parts of their names, such as `ball`, `hex8` or `l_block-nodal-5-pair`. With --fixed the largest fixed
step h0/2^k with which a run ends and its ledger balances to 1 % is sought, too. Needs nothing but the command and the standard
library. Some minutes.
"""
import argparse
import json
import math
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOFT = ROOT / "scenes" / "verify" / "soft"
GRAVITY = 9.81
LAW = {"neo-hookean": {"young": 1e5, "poisson": 0.4, "density": 1000}}
ELEMENTS = {"tet4": "tet4", "hex8": "hex8", "nodal": "tet4"}  # and their cells
GAP = 1e-3

# Axis and angle in which the bodies fall: on an edge, a corner or an end, never flat.
TILTS = {"ball": ([0, 0, 1], 0), "rod": ([1, 0.3, 0], 65), "l_block": ([1, 0.4, 0.2], 35), "hollow_box": ([1, -1, 0.1], 50)}


def turned(point, axis, degrees):
    length = math.sqrt(sum(a * a for a in axis))
    n, c, s = [a / length for a in axis], math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    dot = sum(a * b for a, b in zip(n, point))
    cross = [n[1] * point[2] - n[2] * point[1], n[2] * point[0] - n[0] * point[2], n[0] * point[1] - n[1] * point[0]]
    return [c * p + s * q + (1 - c) * dot * a for p, q, a in zip(point, cross, n)]


def corners(low, high):
    return [[(low, high)[i >> d & 1][d] for d in range(3)] for i in range(8)]


def shape(name, cells):
    """Mesh, scale and the points that span the body."""
    if name == "ball":
        return {"ball": {"radius": 0.25, "divisions": 4, "layers": 2, "cells": cells}}, 1, corners([-0.25] * 3, [0.25] * 3)
    if name == "rod":
        return ({"box": {"from": [0, 0, 0], "to": [0.05, 0.05, 1], "elements": [2, 2, 40], "cells": cells}}, 1,
                corners([0, 0, 0], [0.05, 0.05, 1]))
    if name == "l_block":
        return ({"file": {"path": str(SOFT / f"l_block_{cells}.msh")}}, 0.06,
                corners([0, 0, 0], [0.36, 0.18, 0.18]) + corners([0, 0, 0], [0.18, 0.36, 0.18]))
    return {"file": {"path": str(SOFT / f"hollow_box_{cells}.msh")}}, 0.06, corners([0, 0, 0], [0.36] * 3)


def body(label, name, element, floor, speed, tilt, sideways=(0, 0)):
    """A body whose lowest point is at the height `floor`, above the origin; and its highest point."""
    mesh, scale, points = shape(name, ELEMENTS[element])
    points = [turned(p, *tilt) for p in points]
    low, high = ([f(p[d] for p in points) for d in range(3)] for f in (min, max))
    move = [sideways[d] - (low[d] + high[d]) / 2 for d in range(2)] + [floor - low[2]]
    return {"name": label, "mesh": mesh, "element": element, "material": LAW, "velocity": [0, 0, -speed],
            "place": {"scale": [scale] * 3, "axis": tilt[0], "angle": tilt[1], "translate": move}}, floor + high[2] - low[2]


def scene(name, element, height, target, end):
    speed = math.sqrt(2 * GRAVITY * height)
    if target == "floor":
        bodies = [body("body", name, element, GAP, speed, TILTS[name])[0]]
    else:
        lower, top = body("lower", name, element, GAP, 0, ([0, 1, 0], 90) if name == "rod" else ([0, 0, 1], 0))
        bodies = [lower, body("upper", name, element, top + GAP, speed, TILTS[name], (0.02, 0.01))[0]]
    return {"title": f"{name}, {element}, {height} m, {target}", "integrator": "newmark-dcr", "time": {"end": end},
            "gravity": [0, 0, -GRAVITY], "bodies": bodies,
            "contact": {"restitution": 0, "planes": [{"name": "floor", "normal": [0, 0, 1]}]},
            "output": {"history": {"every": 10}, "fields": {"every": 0}}}


def run(carom, path, place, *more, limit=600):
    command = [carom, "run", path, "-q", "-o", place, "--threads", "1", *more]
    begin = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, f"more than {limit} s", limit
    summary = pathlib.Path(place) / "summary.json"
    return json.loads(summary.read_text()) if summary.exists() else None, done.stderr.strip(), time.monotonic() - begin


def survives(summary):
    """Whether a run with a fixed step reached its end with a ledger that balances to 1 %."""
    return summary is not None and summary["completed"] and summary["energy_error"] < 0.01


def fixed(carom, path, place, step):
    for k in range(8):
        summary, _, _ = run(carom, path, place, "--set", f"time.step={step / 2**k!r}", "--set", "time.follow=false", limit=120)
        if survives(summary):
            return f"1/{2**k}", summary["steps"]
    return "none to 1/128", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--carom", default=ROOT / "build" / "carom")
    parser.add_argument("--end", type=float, default=3)
    parser.add_argument("--fixed", action="store_true")
    parser.add_argument("--limit", type=float, default=600)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    print("| body | element | fall, m | onto | steps | parts | kicks | smallest h/h0 | residual % | momentum | audit, events | fixed | its steps | s |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    for name in TILTS:
        for element in ELEMENTS:
            for height in (0.5, 5):
                for target in ("floor", "pair"):
                    label = f"{name}-{element}-{height}-{target}"
                    if not all(word in label for word in options.words):
                        continue
                    with tempfile.TemporaryDirectory() as folder:
                        folder = options.keep / label if options.keep else pathlib.Path(folder)
                        folder.mkdir(parents=True, exist_ok=True)
                        path = folder / "scene.json"
                        path.write_text(json.dumps(scene(name, element, height, target, options.end), indent=1))
                        summary, message, seconds = run(options.carom, path, folder / "out", limit=options.limit)
                        if not summary:
                            print(f"| {label} | {message} |", flush=True)
                            continue
                        events = [f"{n} {e}" for e, n in summary["events"].items() if n]
                        division = summary.get("division") or {"parts": 0, "smallest_step": summary["step_size"]}
                        row = [name, element, height, target, summary["steps"], division["parts"], round(summary["element_updates"] / summary["elements"]),
                               f"1/{round(summary['step_size'] / division['smallest_step'])}", f"{100 * summary['energy_error']:.3f}",
                               f"{summary['momentum_error']:.0e}", ", ".join([str(summary["intersections"])] + events)]
                        row += fixed(options.carom, path, folder / "fixed", summary["step_size"]) if options.fixed else ("", "")
                        row.append(f"{seconds:.1f}")
                        if not summary["completed"]:
                            row.append(message)
                        print("| " + " | ".join(map(str, row)) + " |", flush=True)


if __name__ == "__main__":
    main()
