#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws two_bars_asynchronous.svg: tips and energy of two bars of bricks, each element with a step of its own, and all with one.

    python3 docs/pictures/two_bars_asynchronous.py [CAROM [PNG]]          # default: build/carom; needs python3-matplotlib
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

try:
    import matplotlib
except ImportError:
    sys.exit("two_bars_asynchronous.py needs matplotlib: apt install python3-matplotlib, or pip install matplotlib")

matplotlib.use("svg")
import matplotlib.pyplot as plt

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAROM = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "build" / "carom"
INK, BLUE, ORANGE, GREY = "#222222", "#1f6fb2", "#d9722b", "#9aa0a6"


def columns(path):
    with open(path) as file:
        rows = csv.reader(file)
        names = next(rows)
        return dict(zip(names, zip(*[[float(cell) for cell in row] for row in rows])))


def run(n, *settings):
    sizes = [f"bodies[{i}].mesh.box.{key}={value}" for i, m in enumerate((n, n + 1))
             for key, value in (("elements", [5 * m, m, m]), ("blend", [1 / m, 0, 0]))]
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([CAROM, "run", ROOT / "scenes/papers/asynchronous/two_bars.yaml", "-q", "-o", place, "--threads", "1",
                        *(word for s in (*sizes, *settings, "output.fields.every=0", "output.history.bodies=true")
                          for word in ("--set", s))], stderr=subprocess.DEVNULL)
        out = pathlib.Path(place)
        return columns(out / "history.csv") | columns(out / "probes.csv")


def percent(r, name):
    start = r["total"][0]
    return [100 * (x - (start if name == "total" else 0)) / start for x in r[name]]


def force(r):
    """Mean contact force over a tenth of a time unit and more: the momentum that the left bar has lost."""
    t, p, last, points = r["time"], r["left.px"], 0, ([], [])
    for j in range(1, len(t)):
        if t[j] - t[last] >= 0.24:
            points[0].append(0.5 * (t[j] + t[last]))
            points[1].append((p[last] - p[j]) / (t[j] - t[last]))
            last = j
    return points


plt.rcParams.update({"font.size": 9, "font.family": "DejaVu Sans", "axes.spines.top": False, "axes.spines.right": False,
                     "axes.edgecolor": INK, "svg.hashsalt": "carom", "legend.frameon": False, "axes.titlesize": 10,
                     "axes.titlelocation": "left", "path.simplify_threshold": 0.5})
coarse, fine, together = run(4), run(8), run(4, "integrator=newmark-dcr")
shown = ((together, "newmark-dcr, n = 4", GREY, 2.4), (coarse, "asynchronous, n = 4", ORANGE, 1.2), (fine, "asynchronous, n = 8", BLUE, 1.2))
figure, ((a, b), (c, d)) = plt.subplots(2, 2, figsize=(9.2, 5.6), sharex=True, constrained_layout=True)
for r, label, colour, width in shown:
    a.plot(r["time"], r["left_tip.ux"], color=colour, lw=width, label=label)
    a.plot(r["time"], r["right_tip.ux"], color=colour, lw=width)
    b.plot(*force(r), color=colour, lw=width, label=label)
for sign in (1, -1):
    a.plot([0, 20, 30], [0, 0, -sign], color=INK, lw=1, ls=(0, (4, 3)), label="exact, thin bars" if sign > 0 else None)
a.set_title("displacement of the tips")
a.legend(loc="upper left")
b.plot([0, 0, 20, 20, 30], [0, 0.1, 0.1, 0, 0], color=INK, lw=1, ls=(0, (4, 3)), label="exact, thin bars")
b.set_title("contact force, mean of 0.25")
b.legend(loc="lower left")
for axes, r, title in ((c, coarse, "asynchronous, n = 4"), (d, fine, "asynchronous, n = 8")):
    axes.plot(r["time"], percent(r, "total"), color=INK, lw=1.2, label="change of total energy")
    axes.plot(r["time"], percent(r, "restitution"), color=BLUE, lw=1.2, label="lost by restitution")
    axes.plot(r["time"], percent(r, "residual"), color=GREY, lw=1.2, label="residual")
    axes.set_title(f"ledger, {title}  (% of all energy)")
    axes.set_xlabel("time")
    axes.set_ylim(-0.9, 1.25)
    axes.legend(loc="upper right", ncol=3, columnspacing=1, handlelength=1.4, fontsize=8)
for axes in (a, b, c, d):
    axes.grid(color="#e8e8e8", lw=0.6)
    axes.set_xlim(0, 30)
figure.savefig(pathlib.Path(__file__).with_suffix(".svg"), metadata={"Date": None})
if len(sys.argv) > 2:
    figure.savefig(sys.argv[2], dpi=110)
