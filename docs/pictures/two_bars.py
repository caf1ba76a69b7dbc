#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws two_bars.svg: the impact of two bars by both ways of contact, beside the exact solution, and the ledgers of the runs.

    python3 docs/pictures/two_bars.py [CAROM [PNG]]          # default: build/carom; needs python3-matplotlib
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

try:
    import matplotlib
except ImportError:
    sys.exit("two_bars.py needs matplotlib: apt install python3-matplotlib, or pip install matplotlib")

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


def run(resolve, restitution):
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([CAROM, "run", ROOT / "scenes/papers/dcr/two_bars.yaml", "-q", "-o", place,
                        "--set", f"contact.resolve={resolve}", "--set", f"contact.restitution={restitution}",
                        "--set", "output.fields.every=0"], stderr=subprocess.DEVNULL)
        out = pathlib.Path(place)
        return columns(out / "history.csv") | columns(out / "probes.csv")


def percent(r, name):
    start = r["total"][0]
    return [100 * (x - (start if name == "total" else 0)) / start for x in r[name]]


plt.rcParams.update({"font.size": 9, "font.family": "DejaVu Sans", "axes.spines.top": False, "axes.spines.right": False,
                     "axes.edgecolor": INK, "svg.hashsalt": "carom", "legend.frameon": False, "axes.titlesize": 10,
                     "axes.titlelocation": "left", "path.simplify_threshold": 0.5})
projection, drift = run("projection", 1), run("exact", 0)
t = drift["time"]
figure, ((a, b), (c, d)) = plt.subplots(2, 2, figsize=(9.2, 5.6), sharex=True, constrained_layout=True)

a.plot(projection["time"], projection["left_tip.vx"], color=ORANGE, lw=0.7, label="projection, e = 1")
a.plot(t, drift["left_tip.vx"], color=BLUE, lw=1.4, label="drift, e = 0")
a.plot([0, 0, 20, 20, 40], [0.1, 0, 0, -0.1, -0.1], color=INK, lw=1, ls=(0, (4, 3)), label="exact")
a.set_title("velocity of the left tip")
a.legend(loc="upper right")

b.plot(projection["time"], projection["left_tip.ux"], color=ORANGE, lw=2.4, label="projection, e = 1")
b.plot(t, drift["left_tip.ux"], color=BLUE, lw=1.2, label="drift, e = 0")
b.plot([0, 20, 40], [0, 0, -2], color=INK, lw=1, ls=(0, (4, 3)), label="exact")
b.set_title("displacement of the left tip")
b.legend(loc="lower left")

for axes, r, column, colour, title in ((c, projection, "projection", ORANGE, "ledger, projection, e = 1"),
                                       (d, drift, "restitution", BLUE, "ledger, drift, e = 0")):
    axes.plot(r["time"], percent(r, "total"), color=INK, lw=1.2, label="change of total energy")
    axes.plot(r["time"], percent(r, column), color=colour, lw=1.2, label=f"lost by {column}")
    axes.plot(r["time"], percent(r, "oscillation"), color=GREY, lw=1.2, ls="--", label="oscillation")
    axes.plot(r["time"], percent(r, "residual"), color=GREY, lw=1.2, label="residual")
    axes.set_title(f"{title}  (% of the energy at the start)")
    axes.set_xlabel("time")
    axes.set_ylim(-0.9, 1.25)
    axes.legend(loc="upper right", ncol=2, columnspacing=1, handlelength=1.4, fontsize=8)

for axes in (a, b, c, d):
    axes.grid(color="#e8e8e8", lw=0.6)
    axes.set_xlim(0, 40)
figure.savefig(pathlib.Path(__file__).with_suffix(".svg"), metadata={"Date": None})
if len(sys.argv) > 2:
    figure.savefig(sys.argv[2], dpi=110)
