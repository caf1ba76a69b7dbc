#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the meshes of papers/nonsmooth/degenerate that no generator makes: spikes, a ridge, a groove and holes.

    python3 scenes/degenerate_meshes.py

Each is a lattice of cells, moved to its place and cut into triangles or tetrahedra along paths that lead outward from the
middle, so that the meshes are symmetric and creases along diagonals are edges. Where a face of the lattice shrinks to a line or
a point the nodes become one. Spikes and the ridge point down and have their tip at the origin; holes have their deepest point
there.
"""
import itertools
import pathlib

HERE = pathlib.Path(__file__).resolve().parent / "papers" / "nonsmooth" / "degenerate"


def determinant(rows):
    if len(rows) == 2:
        return rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]
    (a, b, c), (d, e, f), (g, h, i) = rows
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def lattice(counts, place):
    """Nodes and simplices of the cells of a lattice; all axes but the last are mirrored in their middle."""
    axes = len(counts)
    known, nodes, cells = {}, [], []

    def node(index):
        x = tuple(round(c, 12) + 0.0 for c in place(*(i / n for i, n in zip(index, counts))))
        if x not in known:
            known[x] = len(nodes)
            nodes.append(x)
        return known[x]

    for cell in itertools.product(*(range(n) for n in counts)):
        low = [a + 1 < axes and 2 * cell[a] < counts[a] for a in range(axes)]
        for path in itertools.permutations(range(axes)):
            corner = [cell[a] + low[a] for a in range(axes)]
            simplex = [node(corner)]
            for a in path:
                corner[a] += -1 if low[a] else 1
                simplex.append(node(corner))
            if len(set(simplex)) <= axes:
                continue
            x = [nodes[k] for k in simplex]
            if determinant([[p - q for p, q in zip(x[k], x[0])] for k in range(1, axes + 1)]) < 0:
                simplex[0], simplex[1] = simplex[1], simplex[0]
            cells.append(simplex)
    return nodes, cells


def write(name, nodes, cells):
    with open(HERE / name, "w", encoding="ascii") as file:
        file.write(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{len(nodes)}\n")
        for k, x in enumerate(nodes):
            file.write(" ".join([str(k + 1)] + ["{:.12g}".format(c) for c in (*x, 0.0)[:3]]) + "\n")
        file.write(f"$EndNodes\n$Elements\n{len(cells)}\n")
        for k, cell in enumerate(cells):
            file.write(" ".join(map(str, (k + 1, 2 if len(cell) == 3 else 4, 2, 0, 1, *(n + 1 for n in cell)))) + "\n")
        file.write("$EndElements\n")


def across(s, width):
    """A coordinate from -width/2 to width/2."""
    return width * (s - 0.5)


def depth(*offsets):
    """Height of the surface of a hole of depth 0.5 and width 1 above its deepest point."""
    return min(0.5, max(map(abs, offsets)))


# a spike of height 1 and width 0.3; in space a pyramid
write("spike_2d.msh", *lattice((2, 5), lambda r, t: (t * across(r, 0.3), t)))
write("spike.msh", *lattice((2, 2, 5), lambda r, s, t: (t * across(r, 0.3), t * across(s, 0.3), t)))
# a ridge of height 0.5 and width 1, along y: its length is 1
write("ridge.msh", *lattice((2, 2, 2), lambda r, s, t: (t * across(r, 1), across(s, 1), t / 2)))
# a wedge of the same section in the plane
write("wedge_2d.msh", *lattice((2, 2), lambda r, t: (t * across(r, 1), t / 2)))
# blocks of width 2 and height 1 with a groove, or a pyramid, of width 1 and depth 0.5 in their upper side
write("hole_2d.msh", *lattice((8, 3), lambda r, t: (x := across(r, 2), -0.5 + t * (0.5 + depth(x)))))
write("hole.msh", *lattice((4, 4, 2), lambda r, s, t: (x := across(r, 2), y := across(s, 2), -0.5 + t * (0.5 + depth(x, y)))))
# a pyramid that fits into the hole
write("pyramid.msh", *lattice((2, 2, 2), lambda r, s, t: (t * across(r, 1), t * across(s, 1), t / 2)))
