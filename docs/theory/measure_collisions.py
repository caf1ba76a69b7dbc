#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the scenes of colliding solids and prints tables of docs/theory/collision.md and repay.md (elastic) again.

    python3 docs/theory/measure_collisions.py [--carom build/carom] [TABLE...]

Tables: scenes, refinement, elastic, projection, hertz. Without one all of them; some minutes. Needs nothing but the command and
the standard library.
"""
import argparse
import csv
import json
import math
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
carom = ROOT / "build" / "carom"

SCENES = ["verify/" + name for name in (
    "bars_of_bricks", "bars_of_bricks_graded", "bars_of_tetrahedra", "block_at_rest", "block_on_block", "sliding_block",
    "sliding_on_plate", "incline", "oblique_bounce", "bounce_off_plane", "bounce_off_block", "spinning_collision", "units_si")]
SCENES += ["gallery/" + name for name in (
    "cradle_of_balls", "cubes_corner_to_corner", "cubes_edge_to_edge", "dominoes", "dropped_part", "fast_plate", "folding_strip",
    "pile")]
SCENES += ["papers/dcr/five_cubes_solid", "papers/dcr/seventysix_cubes_solid"]

SIZE_8 = ("bodies[0].mesh.box.elements=[40,8,8]", "bodies[1].mesh.box.elements=[45,9,9]")
SLOW = ("bodies[0].velocity=[0.01,0,0]", "bodies[1].velocity=[-0.01,0,0]", "time.end=27")


def run(scene, overrides, place):
    """Runs a scene on one thread; returns its summary and the seconds of CPU, or None if it did not come to its end."""
    command = [carom, "run", ROOT / "scenes" / f"{scene}.yaml", "-q", "-o", place, "--threads", "1", "--set", "output.fields.every=0"]
    for override in overrides:
        command += ["--set", override]
    before = os.times().children_user
    code = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    if code not in (0, 1):
        return None, 0
    return json.loads((pathlib.Path(place) / "summary.json").read_text()), os.times().children_user - before


def row(scene, *overrides):
    """One line of a table."""
    with tempfile.TemporaryDirectory() as place:
        summary, seconds = run(scene, overrides, place)
    title = scene + (" `" + " ".join(overrides) + "`" if overrides else "")
    if summary is None:
        print(f"| {title} | did not come to its end |")
        return
    first, last = summary["ledger"]["first"], summary["ledger"]["last"]
    percent = 100 / summary["scales"]["energy"]
    print(f"| {title} | {summary['steps']} | {percent * (last['total'] - first['total']):+.3f} | {percent * last['restitution']:.3f} "
          f"| {percent * last['friction']:.3f} | {percent * last['projection']:+.3f} | {100 * summary['energy_error']:.3f} "
          f"| {summary['momentum_error']:.0e} | {summary['angular_momentum_error']:.0e} | {summary['contact_events']} "
          f"| {summary['events']['contact_held']} | {summary['intersections']} | {seconds:.1f} |")


def head():
    """The head of a table of scenes."""
    print("| scene | steps | total % | restitution % | friction % | projection % | largest residual % | P | L | impulses | holds | "
          "intersections | CPU s |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|")


def scenes():
    """Every scene with its own settings."""
    head()
    for scene in SCENES:
        row(scene)


def refinement():
    """The two bars: time of the last contact, energy change, loss and largest residual, in percent."""
    print("| mesh | contact lasts until | total % | restitution % | largest residual % |\n|---|---|---|---|---|")
    cases = [("bars_of_bricks", ()), ("bars_of_tetrahedra", ())]
    cases += [(name, (*SIZE_8, *speed)) for name in ("bars_of_bricks", "bars_of_bricks_graded", "bars_of_tetrahedra") for speed in ((), SLOW)]
    for name, overrides in cases:
        with tempfile.TemporaryDirectory() as place:
            summary, _ = run(f"verify/{name}", overrides, place)
        first, last = summary["ledger"]["first"], summary["ledger"]["last"]
        print(f"| {name} {' '.join(overrides)} | {summary['pairs'][0]['last_contact']:.2f} "
              f"| {100 * (last['total'] / first['total'] - 1):+.3f} | {100 * last['restitution'] / first['total']:.3f} "
              f"| {100 * summary['energy_error']:.3f} |")


def elastic():
    """Restitution 1 with three steps, and by projection: the table of repay.md."""
    head()
    for scene in ("verify/spinning_collision", "verify/bars_of_bricks", "verify/bars_of_tetrahedra", "verify/bounce_off_plane",
                  "gallery/cradle_of_balls", "gallery/cubes_corner_to_corner", "gallery/cubes_edge_to_edge", "papers/dcr/five_cubes_solid"):
        for safety in (0.25, 0.125, 0.0625):
            row(scene, "contact.restitution=1", f"time.safety={safety}")
        row(scene, "contact.restitution=1", "time.safety=0.25", "contact.resolve=projection")


def projection():
    """Some of the scenes with contact.resolve: projection."""
    head()
    for scene in ("verify/bars_of_bricks", "verify/block_on_block", "verify/sliding_on_plate", "verify/spinning_collision",
                  "gallery/cradle_of_balls", "gallery/cubes_corner_to_corner", "gallery/cubes_edge_to_edge", "gallery/dominoes",
                  "gallery/fast_plate", "papers/dcr/five_cubes_solid"):
        row(scene, "contact.resolve=projection")


def hertz():
    """Two balls: duration and peak force (the largest mean over a sixtieth of the run) compared with Hertz's closed form."""
    mass, stiffness, radius, speed = 2 * math.pi / 3, 1 / (2 * (1 - 0.3**2)), 0.5, 0.025
    approach = (15 * mass * speed**2 / (16 * stiffness * math.sqrt(radius)))**0.4
    peak, duration = 4 / 3 * stiffness * math.sqrt(radius) * approach**1.5, 2.9432 * approach / speed
    print("| cells along a quarter | duration | error % | peak force | error % | restitution of the balls |\n|---|---|---|---|---|---|")
    for cells in (4, 8, 12):
        overrides = [f"bodies[{b}].mesh.ball.{key}={value}" for b in (0, 1) for key, value in (("divisions", cells), ("layers", cells // 2))]
        with tempfile.TemporaryDirectory() as place:
            summary, _ = run("verify/hertz", overrides, place)
            with open(pathlib.Path(place) / "history.csv") as file:
                rows = list(csv.reader(file))
        column = next(i for i, name in enumerate(rows[0]) if name.startswith("left") and name.endswith("px"))
        table = [(float(cell[0]), float(cell[column])) for cell in rows[1:]]
        n = max(1, len(table) // 60)
        force = max((a[1] - b[1]) / (b[0] - a[0]) for a, b in zip(table, table[n:]))
        pair = summary["pairs"][0]
        lasted = pair["last_contact"] - pair["first_contact"]
        print(f"| {cells} | {lasted:.3f} | {100 * (lasted / duration - 1):+.1f} | {force:.5f} | {100 * (force / peak - 1):+.1f} "
              f"| {pair['macroscopic_restitution']:.4f} |")


def main():
    global carom
    tables = {"scenes": scenes, "refinement": refinement, "elastic": elastic, "projection": projection, "hertz": hertz}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--carom", type=pathlib.Path, default=carom)
    parser.add_argument("tables", nargs="*", choices=[*tables, []], metavar="TABLE")
    arguments = parser.parse_args()
    carom = arguments.carom.resolve()
    for name in arguments.tables or tables:
        print(f"\n{name}\n")
        tables[name]()


if __name__ == "__main__":
    main()
