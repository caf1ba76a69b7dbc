#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the key stones of the arches of scenes/rest, stone_thick.obj and stone_thin.obj: one of 25 of a half ring of mean
radius 1, by straight chords. Joints are open by 1.25 contact layers, at which surfaces rest on each other.

    scenes/arch_stones.py
"""
import math
from pathlib import Path

FOLDER = Path(__file__).parent / "rest"
COUNT = 25
DEPTH = 0.3
LAYER = 1e-4  # contact.layer: of the shortest side of a face
FACES = ((1, 2, 3), (1, 3, 4), (5, 7, 6), (5, 8, 7), (1, 5, 6), (1, 6, 2), (2, 6, 7), (2, 7, 3), (3, 7, 8), (3, 8, 4),
         (4, 8, 5), (4, 5, 1))


def stone(thickness):
    """Points of the key stone, and half the width of a joint."""
    half = math.pi / COUNT / 2
    inner, outer = 1 - thickness / 2, 1 + thickness / 2
    open_by = 1.25 * LAYER * min(thickness, 2 * inner * math.sin(half)) / 2
    points = []
    for y in (0.0, DEPTH):
        for sign, radius in ((-1, inner), (-1, outer), (1, outer), (1, inner)):
            x = radius * math.sin(half) - open_by * math.cos(half)
            points.append((sign * x, y, radius * math.cos(half) + open_by * math.sin(half)))
    return points, open_by


def main():
    for name, thickness in (("thick", 0.108), ("thin", 0.106)):
        points, open_by = stone(thickness)
        lines = [f"# A stone of an arch of {COUNT}, mean radius 1, thickness {thickness:g}: the key stone, with half a joint "
                 f"of {open_by:.3g} on either side."]
        lines += ["v " + " ".join(f"{c:.17g}" for c in p) for p in points]
        lines += ["f " + " ".join(map(str, face)) for face in FACES]
        (FOLDER / f"stone_{name}.obj").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
