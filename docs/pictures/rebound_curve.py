#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws rebound_curve.svg: the rebound of a ball with one viscous branch against temperature, beside theory.

    python3 docs/pictures/rebound_curve.py [CAROM [FOLDER]]     # default: build/carom; a minute or two

Every point is a run of the study scenes/verify/rebound/temperatures.csv; a FOLDER that holds that study already is read instead.
"""
import ast
import csv
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "theory"))
from measure_inelastic import ball, hertz, oscillator  # noqa: E402

CAROM = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "build" / "carom"
REFERENCE, TIME = -20, 1.754e-5  # degrees Celsius, and the time of the branch there
SCENE = ROOT / "scenes/verify/rebound/ball.yaml"


def time_at(temperature):
    """Williams, Landel and Ferry 1955, with their universal constants."""
    return TIME * 10 ** (-8.86 * (temperature - REFERENCE) / (101.6 + temperature - REFERENCE))


def temperature_at(time):
    shift = math.log10(time / TIME)
    return REFERENCE - 101.6 * shift / (8.86 + shift)


def study(folder):
    if not (folder / "sweep.csv").exists():
        subprocess.run([CAROM, "sweep", SCENE, "--list", SCENE.with_name("temperatures.csv"), "--set", "expect={}", "-o", folder],
                       check=True)
    with open(folder / "sweep.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["status"] == "done":
                time = ast.literal_eval(row["bodies.ball.material.viscoelastic.prony"])[0][1]
                yield time, float(row["probes.ball.vz.last"]) / 2


def draw(points, curves):
    """A chart of 560 x 330."""
    left, top, width, height, cold, warm = 60, 40, 420, 230, -52, -18
    x = lambda t: left + width * (t - cold) / (warm - cold)
    y = lambda e: top + height * (1 - (e - 0.6) / 0.4)
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 330" font-family="DejaVu Sans, sans-serif" font-size="12">',
             '<rect width="560" height="330" fill="#ffffff"/>',
             f'<text x="{left}" y="22" font-size="13">Rebound over arrival velocity of a rubber ball</text>']
    for e in (0.6, 0.7, 0.8, 0.9, 1.0):
        parts.append(f'<path d="M{left} {y(e):.1f}h{width}" stroke="#e8e8e8"/>'
                     f'<text x="{left - 8}" y="{y(e) + 4:.1f}" text-anchor="end">{e}</text>')
    for t in range(-50, -19, 5):
        parts.append(f'<text x="{x(t):.1f}" y="{top + height + 18}" text-anchor="middle">{t}</text>'.replace(">-", ">\u2212"))
    parts.append(f'<text x="{left + width / 2}" y="{top + height + 38}" text-anchor="middle">temperature, °C</text>')
    parts.append(f'<path d="M{left} {top}v{height}h{width}" fill="none" stroke="#222222"/>')
    for number, (name, colour, dash, values) in enumerate(curves):
        line = " ".join(f"{x(t):.1f},{y(e):.1f}" for t, e in values)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}/>'
                     f'<path d="M80 {222 + 18 * number}h24" stroke="{colour}" stroke-width="1.6"{dash}/>'
                     f'<text x="110" y="{226 + 18 * number}">{name}</text>')
    parts += [f'<circle cx="{x(t):.1f}" cy="{y(e):.1f}" r="3.5" fill="#d9722b"/>' for t, e in points]
    parts.append('<circle cx="92" cy="258" r="3.5" fill="#d9722b"/><text x="110" y="262">carom</text></svg>')
    (ROOT / "docs/pictures/rebound_curve.svg").write_text("\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    shear, bulk = 1e6, 30e6
    young, poisson = 9 * bulk * shear / (3 * bulk + shear), (3 * bulk - 2 * shear) / (2 * (3 * bulk + shear))
    duration = hertz(4 * 8.130144e-6 * 1000, 0.02, young / (1 - poisson**2), 2)[1]
    rate = lambda time: math.pi * time / duration
    with tempfile.TemporaryDirectory() as place:
        found = sorted(study(pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else place)))
    for time, e in found:
        print(f"{temperature_at(time):6.1f} C, tau {1e3 * time:8.4f} ms, omega tau {rate(time):8.4f}: {e:.4f}, "
              f"theory {ball(1, rate(time))[0]:.4f}")
    grid = [-51.5 + 0.5 * k for k in range(66)]
    curves = [("relaxing Hertz contact", "#1f6fb2", "", [(t, ball(1, rate(time_at(t)), 3000)[0]) for t in grid]),
              ("oscillator", "#777777", ' stroke-dasharray="5 4"', [(t, oscillator(1, rate(time_at(t)), 5000)[0]) for t in grid])]
    draw([(temperature_at(time), e) for time, e in found], curves)
