#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes clip.inp, an Abaqus deck of the usual form:  python3 scenes/gallery/clip_deck.py scenes/gallery/clip.inp

A spring clip of steel, a U of bricks, falls on a plate that is held. Millimetres, tonnes, seconds.
"""
import sys

# The clip is a U in the x-z plane, made of cells of 2.5 x 2.5 x 2 mm: two legs of 40 mm, a back of 25 mm, 4 mm thick and 10 mm
# wide.
DX, DY, DZ = 2.5, 2.5, 2.0
LENGTH, WIDTH, HEIGHT, WALL = 16, 4, 12, 2
BACK = 2
GAP = 0.05


def inside(i, k):
    """True for the cells of the U: the legs below and above, the back at small x."""
    return i < BACK or k < WALL or k >= HEIGHT - WALL


class Part:
    def __init__(self):
        self.nodes, self.cells, self.numbers = [], [], {}

    def node(self, key, position):
        if key not in self.numbers:
            self.nodes.append(position)
            self.numbers[key] = len(self.nodes)
        return self.numbers[key]

    def brick(self, i, j, k, place):
        corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
        self.cells.append([self.node((i + a, j + b, k + c), place(i + a, j + b, k + c)) for a, b, c in corners])


def put(out, part, first_node, first_cell, name):
    out.append("*NODE")
    out += [f"{first_node + n}, {x:g}, {y:g}, {z:g}" for n, (x, y, z) in enumerate(part.nodes)]
    out.append(f"*ELEMENT, TYPE=C3D8, ELSET={name}")
    out += [", ".join(str(v) for v in [first_cell + c, *(first_node - 1 + n for n in cell)])
            for c, cell in enumerate(part.cells)]


def main(path):
    clip, plate = Part(), Part()
    for k in range(HEIGHT):
        for j in range(WIDTH):
            for i in range(LENGTH):
                if inside(i, k):
                    clip.brick(i, j, k, lambda a, b, c: (DX * a, DY * b, DZ * c + GAP))
    for j in range(4):
        for i in range(10):
            plate.brick(i, j, 0, lambda a, b, c: (-10 + 6 * a, -7 + 6 * b, -6 + 6 * c))
    count, cells = len(clip.nodes), len(clip.cells)
    out = ["*HEADING", "A spring clip falls on a plate"]
    put(out, clip, 1, 1, "CLIP")
    put(out, plate, count + 1, cells + 1, "PLATE")
    out += ["*NSET, NSET=CLIP_NODES, GENERATE", f"1, {count}, 1", "*NSET, NSET=PLATE_NODES, GENERATE",
            f"{count + 1}, {count + len(plate.nodes)}, 1"]
    out += """\
*MATERIAL, NAME=STEEL
*DENSITY
7.85E-9
*ELASTIC
210000., 0.3
*PLASTIC
350., 0.
420., 0.05
*SOLID SECTION, ELSET=CLIP, MATERIAL=STEEL
*SOLID SECTION, ELSET=PLATE, MATERIAL=STEEL
*SURFACE INTERACTION, NAME=DRY
*FRICTION
0.15
*INITIAL CONDITIONS, TYPE=VELOCITY
CLIP_NODES, 3, -2000.
*STEP, NAME=DROP
*DYNAMIC, EXPLICIT
, 3.0E-4
*BOUNDARY
PLATE_NODES, ENCASTRE
*DLOAD
CLIP, GRAV, 9810., 0., 0., -1.
*CONTACT
*CONTACT INCLUSIONS, ALL EXTERIOR
*CONTACT PROPERTY ASSIGNMENT
, , DRY
*OUTPUT, FIELD, NUMBER INTERVAL=20
*END STEP""".split("\n")
    with open(path, "w", encoding="ascii") as stream:
        stream.write("\n".join(out) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
