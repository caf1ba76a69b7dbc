#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the meshes of shells that scenes read: roof and hemisphere of verify/static, tin and tube of gallery,
quarter of a square tube of verify/tubes.

    python3 scenes/shell_meshes.py
"""
import math
import pathlib

HERE = pathlib.Path(__file__).resolve().parent


def write(name, what, nodes, faces):
    with open(HERE / name, "w", encoding="ascii") as file:
        file.write(f"# {what}, by scenes/shell_meshes.py\n")
        for x in nodes:
            file.write("v {:.10g} {:.10g} {:.10g}\n".format(*(0.0 if abs(c) < 1e-12 else c for c in x)))
        for face in faces:
            file.write("f {} {} {}\n".format(*(k + 1 for k in face)))


def grid(columns, rows, place, around=False, first=0):
    """Nodes of a grid and its triangles, with diagonals from (i + 1, j) to (i, j + 1)."""
    wide = columns if around else columns + 1
    at = lambda i, j: first + j * wide + i % wide
    nodes = [place(i, j) for j in range(rows + 1) for i in range(wide)]
    faces = []
    for j in range(rows):
        for i in range(columns):
            faces.append((at(i, j), at(i + 1, j), at(i, j + 1)))
            faces.append((at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)))
    return nodes, faces


def roof(n):
    angle = lambda i: math.radians(40 * i / n)
    return grid(n, n, lambda i, j: (25 * math.sin(angle(i)), 25 * j / n, 25 * math.cos(angle(i))))


def hemisphere(n):
    """A quarter of a hemisphere: a triangle split into n^2, as an octahedron is."""
    def middle(a, b):
        size = math.dist((0, 0, 0), [x + y for x, y in zip(a, b)])
        return tuple(10 * (x + y) / size for x, y in zip(a, b))

    known, nodes = {}, []
    faces = [((10, 0, 0), (0, 10, 0), (0, 0, 10))]
    while len(faces) < n * n:
        split = []
        for a, b, c in faces:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            split += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        faces = split
    for face in faces:
        for x in face:
            key = tuple(round(c, 9) + 0.0 for c in x)
            if key not in known:
                known[key] = len(nodes)
                nodes.append(key)
    return nodes, [tuple(known[tuple(round(c, 9) + 0.0 for c in x)] for x in face) for face in faces]


def wall(rings, rows, height):
    """A tube of radius 1 whose rows are turned by half a cell each, so that its triangles are almost equilateral."""
    n = 6 * rings
    angle = lambda i, j: 2 * math.pi * (i + 0.5 * j) / n
    return grid(n, rows, lambda i, j: (math.cos(angle(i, j)), math.sin(angle(i, j)), height * j / rows), around=True)


def tin(rings, rows, height):
    """A tube closed by two discs of rings."""
    nodes, faces = wall(rings, rows, height)
    for j, z in ((0, 0), (rows, height)):
        rim = [j * 6 * rings + i for i in range(6 * rings)]
        inner = {}
        for r in range(rings):
            for step in range(max(1, 6 * r)):
                inner[r, step] = len(nodes)
                angle = 2 * math.pi * (step / (6 * r) if r else 0) + math.pi * j / (6 * rings)
                nodes.append((r / rings * math.cos(angle), r / rings * math.sin(angle), z))
        at = lambda r, step: rim[step % (6 * r)] if r == rings else inner[r, step % (6 * r) if r else 0]
        for r in range(rings):
            for sector in range(6):
                for i in range(r + 1):
                    a, b = at(r, sector * r + i), at(r + 1, sector * (r + 1) + i)
                    c, d = at(r + 1, sector * (r + 1) + i + 1), at(r, sector * r + i + 1)
                    cap = [(a, b, c)] + ([(a, c, d)] if i < r else [])
                    faces += [face if j else face[::-1] for face in cap]
    return nodes, faces


def square_tube(cells, rows, width, height, wave, dent, quarter):
    """A square tube about the z axis, cells along half a side; or the quarter of it with x, y >= 0. Near the lower end two
    walls are dented inward and two outward, by half a wave of this length."""
    half = width / 2

    def place(i, j):
        # once around, beginning in the middle of the wall at x = half; the quarter goes through one corner
        side, along = divmod(i + cells, 2 * cells)
        u, z = half * (along / cells - 1), height * j / rows
        bump = dent * math.sin(math.pi * z / wave) * math.cos(math.pi * u / width) if z < wave else 0
        out = half + (bump if side % 2 else -bump)
        turn = [(out, u), (-u, out), (-out, -u), (u, -out)][side % 4]
        return (*turn, z)

    return grid(2 * cells if quarter else 8 * cells, rows, place, around=not quarter)


write("verify/static/roof.obj", "a quarter of the roof of Scordelis and Lo", *roof(24))
write("verify/static/hemisphere.obj", "a quarter of the pinched hemisphere", *hemisphere(32))
write("gallery/tube.obj", "a tube", *wall(8, 24, 3))
write("gallery/tin.obj", "a tin", *tin(8, 18, 2.4))
write("verify/tubes/quarter.obj", "a quarter of a square tube of 50 mm", *square_tube(5, 24, 0.05, 0.12, 0.016, 0.0005, True))
write("verify/tubes/quarter_fine.obj", "a quarter of a square tube of 50 mm",
      *square_tube(6, 29, 0.05, 0.12, 0.016, 0.0005, True))
