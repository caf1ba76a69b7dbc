#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the tables of docs/manual/rebound.md: the rebound of a block from a floor.   measure_rebound.py [CAROM]"""
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

CAROM = str(Path(sys.argv[1] if len(sys.argv) > 1 else "build/carom").resolve())
SCENE = """\
title: A block on a floor
integrator: newmark-dcr
time: {end: 6, step: auto}
contact: {restitution: 0, planes: [{name: floor, normal: [0, 0, 1], point: [0, 0, 0]}]}
bodies:
  - name: block
    mesh: {box: {from: [0, 0, 0.1], to: [1, 1, 1.1], elements: [4, 4, 4]}}
    element: hex8
    material: {st-venant-kirchhoff: {young: 1, poisson: 0.3, density: 1}}
    velocity: [0, 0, -0.05]
output: {probes: [{name: whole, body: block, record: [velocity]}], fields: {every: 0}}
"""


def run(*changes):
    """The velocity of the mass centre after over before, and shares of the energy at the end."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "block.yaml").write_text(SCENE)
        words = [w for change in changes for w in ("--set", change)]
        subprocess.run([CAROM, "run", "block.yaml", "-q", "-o", "out", "--threads", "1", *words], cwd=folder, check=True)
        with open(Path(folder) / "out/probes.csv") as file:
            probes = list(csv.DictReader(file))
        with open(Path(folder) / "out/history.csv") as file:
            rows = list(csv.DictReader(file))
        summary = json.loads((Path(folder) / "out/summary.json").read_text())
    rebound, whole = -float(probes[-1]["whole.vz"]) / float(probes[0]["whole.vz"]), float(rows[0]["kinetic"])
    lost = float(rows[-1]["restitution"]) / whole
    vibration = (float(rows[-1]["kinetic"]) + float(rows[-1]["internal"])) / whole - rebound ** 2
    return rebound, rebound ** 2, vibration, lost, summary["contact_events"], summary["steps"]


def table(name, settings):
    print(f"| {name} | rebound | energy of the rebound | of vibrations | lost in contact | contact events | steps |")
    for label, changes in settings:
        print("| %s | %.3f | %.3f | %.3f | %.3f | %d | %d |" % (label, *run(*changes)))


if __name__ == "__main__":
    table("restitution", [(e, [f"contact.restitution={e}"]) for e in (0, 0.25, 0.5, 0.75, 0.95)])
    table("elements per side", [(n, [f"bodies[0].mesh.box.elements=[{n},{n},{n}]"]) for n in (2, 4, 6)])
    table("speed", [(v, [f"bodies[0].velocity=[0,0,-{v}]", f"time.end={0.1 / v + 4}"]) for v in (0.0125, 0.05, 0.2)])
    table("stiffness damping", [(b, ["bodies[0].damping={stiffness: %g}" % b]) for b in (0, 0.01, 0.03, 0.1, 0.3, 1)])
    table("the same, restitution 0.5",
          [(b, ["contact.restitution=0.5", "bodies[0].damping={stiffness: %g}" % b]) for b in (0.03, 0.1, 0.3)])
    table("mass damping", [(a, ["bodies[0].damping={mass: %g}" % a]) for a in (0.01, 0.03, 0.1, 0.3)])
