#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws golf_ball.svg: the velocity across a golf ball that was struck by an inclined club face, with and without friction.

    python3 docs/pictures/golf_ball.py [CAROM [PNG]]          # default: build/carom; needs python3-matplotlib
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

try:
    import matplotlib
except ImportError:
    sys.exit("golf_ball.py needs matplotlib: apt install python3-matplotlib, or pip install matplotlib")

matplotlib.use("svg")
import matplotlib.pyplot as plt

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAROM = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "build" / "carom"
INK, BLUE, ORANGE = "#222222", "#1f6fb2", "#d9722b"
RADIUS, NODES = 0.02135, 11


def profile(friction):
    """Height and velocity along the club's way of the nodes on the vertical line through the middle, mean over the last part of the run."""
    heights = [RADIUS * (2 * i / (NODES - 1) - 1) for i in range(NODES)]
    probes = ", ".join(f"{{name: p{i}, body: ball, nearest: {{to: [0, 0, {z:.6g}]}}, record: [position, velocity]}}" for i, z in enumerate(heights))
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([CAROM, "run", ROOT / "scenes/papers/energy-momentum/golf_ball.yaml", "-q", "-o", place,
                        "--set", f"contact.friction={friction}", "--set", f"output.probes=[{probes}]", "--set", "output.fields.every=0",
                        "--set", "expect={}"], check=True)
        with open(pathlib.Path(place) / "probes.csv") as file:
            rows = list(csv.DictReader(file))
    last = rows[-len(rows) // 5:]
    mean = lambda name: sum(float(row[name]) for row in last) / len(last)
    middle = mean(f"p{NODES // 2}.z")
    return [1e3 * (mean(f"p{i}.z") - middle) for i in range(NODES)], [mean(f"p{i}.vx") for i in range(NODES)]


def main():
    plt.rcParams.update({"font.size": 9, "axes.edgecolor": INK, "svg.fonttype": "none", "svg.hashsalt": "carom"})
    figure, axes = plt.subplots(figsize=(4.6, 3.4), layout="constrained")
    for friction, colour in ((0.5, BLUE), (0, ORANGE)):
        height, speed = profile(friction)
        axes.plot(speed, height, "o-", color=colour, label=f"friction {friction:g}")
    axes.set_xlabel("velocity along the way of the club, m/s")
    axes.set_ylabel("height above the middle of the ball, mm")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(ROOT / "docs/pictures/golf_ball.svg", metadata={"Date": None})
    if len(sys.argv) > 2:
        figure.savefig(sys.argv[2], dpi=150)


main()
