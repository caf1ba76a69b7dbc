#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws friction_loss.svg: the energy that friction takes from two shell spheres, against the coefficient, for a central and an eccentric impact.

    python3 docs/pictures/friction_loss.py [CAROM]          # default: build/carom; four minutes

Every point is a run of scenes/papers/dcr/sphere_sphere.yaml with steps of 2e-5; two gaps at the start tell how far runs scatter.
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAROM = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "build" / "carom"
FRICTION, GAPS, OFFSETS = (0.25, 0.5, 0.75, 1), (0.1003, 0.1043), (0, 0.5)
COLOURS, NAMES = ("#1f6fb2", "#d9722b"), ("central", "offset 0.5")
# by an independent program that projects at the end of steps; the central ones over four gaps
OTHERS = ({0.25: (5.6, 5.9), 0.5: (6.4, 7.3), 0.75: (7.4, 7.4), 1: (7.0, 8.1)},
          {0.25: (7.6, 7.6), 0.5: (8.6, 8.6), 0.75: (8.6, 8.6), 1: (8.7, 8.7)})


def loss(friction, gap, offset):
    """Percent of the energy at the start; must not be negative at any time."""
    with tempfile.TemporaryDirectory() as place:
        half = 1 + gap / 2
        settings = (f"contact.friction={friction}", "time.step=2e-5", "output.fields.every=0",
                    f"bodies[0].place.translate=[{-half},0,0]", f"bodies[1].place.translate=[{half},{offset},0]",
                    'expect.angular_momentum_error="< 1e-5"', 'expect.energy_error="< 0.002"')
        words = [word for setting in settings for word in ("--set", setting)]
        subprocess.run([CAROM, "run", ROOT / "scenes/papers/dcr/sphere_sphere.yaml", "-q", "--threads", "1", "-o", place, *words],
                       check=True)
        with open(pathlib.Path(place) / "history.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    taken = [float(row["friction"]) for row in rows]
    assert all(a <= b for a, b in zip([0.0] + taken, taken)), "friction gave energy back"
    print(f"offset {offset}, friction {friction}, gap {gap}: friction {100 * taken[-1] / float(rows[0]['total']):.2f} %, "
          f"total {100 * (float(rows[-1]['total']) / float(rows[0]['total']) - 1):.2f} %", flush=True)
    return 100 * taken[-1] / float(rows[0]["total"])


def draw(found):
    """A chart of 560 x 330; found[offset][friction] are the losses of all gaps."""
    left, top, width, height, most = 60, 40, 340, 240, 10
    x = lambda friction: left + width * friction / 1.1
    y = lambda percent: top + height * (1 - percent / most)
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 330" font-family="DejaVu Sans, sans-serif" font-size="12">',
             '<rect width="560" height="330" fill="#ffffff"/>',
             f'<text x="{left}" y="22" font-size="13">Energy taken by friction until t = 0.03 (% of that at the start)</text>']
    for percent in range(0, most + 1, 2):
        parts.append(f'<path d="M{left} {y(percent):.1f}h{width}" stroke="#e8e8e8"/>'
                     f'<text x="{left - 8}" y="{y(percent) + 4:.1f}" text-anchor="end">{percent}</text>')
    for friction in (0, *FRICTION):
        parts.append(f'<text x="{x(friction):.1f}" y="{top + height + 18}" text-anchor="middle">{friction}</text>')
    parts.append(f'<text x="{left + width / 2}" y="{top + height + 38}" text-anchor="middle">coefficient of friction</text>')
    parts.append(f'<path d="M{left} {top}v{height}h{width}" fill="none" stroke="#222222"/>')
    for number, (offset, colour, name) in enumerate(zip(OFFSETS, COLOURS, NAMES)):
        means = [(0, 0)] + [(f, sum(found[offset][f]) / len(GAPS)) for f in FRICTION]
        line = " ".join(f"{x(f):.1f},{y(p):.1f}" for f, p in means)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        for f in FRICTION:
            parts += [f'<circle cx="{x(f):.1f}" cy="{y(p):.1f}" r="3.2" fill="{colour}"/>' for p in found[offset][f]]
            low, high = OTHERS[number][f]
            parts.append(f'<path d="M{x(f) + 9:.1f} {y(low) + 1.5:.1f}V{y(high) - 1.5:.1f}" stroke="{colour}" stroke-width="5" opacity="0.35"/>')
        parts.append(f'<circle cx="425" cy="{70 + 22 * number}" r="3.2" fill="{colour}"/>'
                     f'<text x="435" y="{74 + 22 * number}">{name}</text>')
    parts.append('<path d="M425 108v14" stroke="#888888" stroke-width="5" opacity="0.5"/><text x="435" y="119">another program</text></svg>')
    pathlib.Path(__file__).with_suffix(".svg").write_text("\n".join(parts) + "\n", encoding="utf-8")


draw({offset: {f: [loss(f, gap, offset) for gap in GAPS] for f in FRICTION} for offset in OFFSETS})
