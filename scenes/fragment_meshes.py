#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes papers/nonsmooth/fragments_2d and fragments, mesh and scene: a square and a cube cut into angular pieces that
separate.

    python3 scenes/fragment_meshes.py

The largest piece is cut again and again by a line or plane near its middle: of many random ones, that which leaves the best
cells. Each piece becomes a fan of cells around its centre and shrinks by a thousandth, since surfaces may not touch at the
start. It moves outward and has a random velocity and spin; some move inward, so that they collide.
"""
import math
import pathlib
import random

HERE = pathlib.Path(__file__).resolve().parent / "papers" / "nonsmooth"


def sub(a, b):
    return tuple(p - q for p, q in zip(a, b))


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def size(a):
    return math.sqrt(dot(a, a))


def mean(points):
    return tuple(sum(c) / len(points) for c in zip(*points))


def crossing(a, b, normal, offset):
    """Where the line through two points meets a plane: the same bits for both directions."""
    a, b = min(a, b), max(a, b)
    s, t = dot(normal, a) - offset, dot(normal, b) - offset
    return tuple((t * p - s * q) / (t - s) for p, q in zip(a, b))


def side(polygon, normal, offset):
    """The part of a polygon with normal . x <= offset, and the points where it was cut."""
    part, cut = [], []
    for a, b in zip(polygon, polygon[1:] + polygon[:1]):
        in_a, in_b = dot(normal, a) < offset, dot(normal, b) < offset
        if in_a:
            part.append(a)
        if in_a != in_b:
            point = crossing(a, b, normal, offset)
            part.append(point)
            cut.append(point)
    return part, cut


class Plane:
    """Pieces are polygons; cells are triangles."""
    start = [(-0.5, -0.5, 0.0), (0.5, -0.5, 0.0), (0.5, 0.5, 0.0), (-0.5, 0.5, 0.0)]
    kind, flat = 2, True

    @staticmethod
    def points(piece):
        return piece

    @staticmethod
    def part(piece, normal, offset):
        return side(piece, normal, offset)[0]

    @staticmethod
    def fan(piece):
        return list(zip(piece, piece[1:] + piece[:1]))

    @staticmethod
    def measure(x):
        """Area of a cell, and its smallest height."""
        area = cross(sub(x[1], x[0]), sub(x[2], x[0]))[2] / 2
        return area, 2 * area / max(math.dist(x[0], x[1]), math.dist(x[1], x[2]), math.dist(x[2], x[0]))


class Space:
    """Pieces are lists of polygons whose normals point outward; cells are tetrahedra."""
    start = [[(x, y, z) for y, z in square] for x, square in (
        (-0.5, ((-0.5, -0.5), (-0.5, 0.5), (0.5, 0.5), (0.5, -0.5))),
        (0.5, ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))))]
    start += ([[(z, x, y) for x, y, z in polygon] for polygon in start]
              + [[(y, z, x) for x, y, z in polygon] for polygon in start])
    kind, flat = 4, False

    @staticmethod
    def points(piece):
        return sorted({x for polygon in piece for x in polygon})

    @staticmethod
    def part(piece, normal, offset):
        polygons, rim = [], set()
        for polygon in piece:
            part, cut = side(polygon, normal, offset)
            rim.update(cut)
            if len(part) > 2:
                polygons.append(part)
        # the new face: its points in order around its middle
        middle = mean(sorted(rim))
        along = sub(min(rim), middle)
        across = cross(normal, along)
        polygons.append(sorted(rim, key=lambda x: math.atan2(dot(across, sub(x, middle)) / size(across),
                                                             dot(along, sub(x, middle)) / size(along))))
        return polygons

    @staticmethod
    def fan(piece):
        """Triangles of the surface: each face from the corner that leaves the least sharp ones."""
        triangles = []
        for polygon in piece:
            turned = [polygon[k:] + polygon[:k] for k in range(len(polygon))]
            fans = [[(p[0], p[i], p[i + 1]) for i in range(1, len(p) - 1)] for p in turned]
            triangles += max(fans, key=lambda fan: min(size(cross(sub(b, a), sub(c, a))) / max(math.dist(a, b), math.dist(b, c),
                                                                                               math.dist(c, a))
                                                       for a, b, c in fan))
        return triangles

    @staticmethod
    def measure(x):
        """Volume of a cell, and its smallest height."""
        volume = dot(sub(x[1], x[0]), cross(sub(x[2], x[0]), sub(x[3], x[0]))) / 6
        faces = [[y for y in x if y is not left] for left in x]
        return volume, 6 * volume / max(size(cross(sub(b, a), sub(c, a))) for a, b, c in faces)


def cells(space, piece):
    """The centre of mass of a piece, its cells around the mean of its corners, its size and the smallest height of a cell."""
    top = mean(space.points(piece))
    fan = [(*side, top) if space.flat else (top, *side) for side in space.fan(piece)]
    measures = [space.measure(x) for x in fan]
    whole = sum(m for m, _ in measures)
    centre = tuple(sum(m * mean(x)[a] for (m, _), x in zip(measures, fan)) / whole for a in range(3))
    return centre, fan, whole, min(height for _, height in measures)


def cut(space, count, chance):
    """Cuts the initial shape into that many pieces."""
    pieces = [space.start]
    while len(pieces) < count:
        pieces.sort(key=lambda piece: cells(space, piece)[2])
        piece = pieces.pop()
        centre, _, whole, _ = cells(space, piece)
        width = math.sqrt(whole) if space.flat else whole ** (1 / 3)
        best = None
        for _ in range(8):
            normal = [chance.gauss(0, 1), chance.gauss(0, 1), 0.0 if space.flat else chance.gauss(0, 1)]
            normal = tuple(c / size(normal) for c in normal)
            offset = dot(normal, centre) + width * chance.uniform(-0.15, 0.15)
            parts = [space.part(piece, normal, offset), space.part(piece, tuple(-c for c in normal), -offset)]
            worth = min(cells(space, part)[3] for part in parts)
            if best is None or worth > best[0]:
                best = worth, parts
        pieces += best[1]
    return pieces


def text(numbers):
    return "[" + ", ".join("{:.4g}".format(c) for c in numbers) + "]"


def write(name, head, tail, space, count, seed):
    chance = random.Random(seed)
    pieces = cut(space, count, chance)
    nodes, elements, bodies = [], [], []
    margin = "\n     "
    for k, piece in enumerate(pieces):
        centre, fan, _, _ = cells(space, piece)
        number = {}
        for cell in fan:
            for x in cell:
                if x not in number:
                    number[x] = len(nodes) + 1
                    nodes.append(tuple(c + 0.999 * d for c, d in zip(centre, sub(x, centre))))
            elements.append((k + 1, [number[x] for x in cell]))
        # outward, or inward if it is one in five; the rest by chance
        outward = -2 if k % 5 == 0 else 2
        axes = (1, 1, 0) if space.flat else (1, 1, 1)
        velocity = [outward * c + a * chance.gauss(0, 0.3) for c, a in zip(centre, axes)]
        spin = [(1 - a if space.flat else a) * chance.gauss(0, 3) for a in axes]
        material = "&stone {neo-hookean: {young: 1.0e+4, poisson: 0.3, density: 1}}" if k == 0 else "*stone"
        element = "tri3" if space.flat else "tet4"
        bodies.append(f"  - {{name: piece_{k}, mesh: {{file: {{path: {name}.msh, group: piece_{k}}}}}, element: {element},"
                      f"{margin if k == 0 else ' '}material: {material},{margin}"
                      f"velocity: {text(velocity)}, spin: {text(spin)}}}\n")
    with open(HERE / f"{name}.msh", "w", encoding="ascii") as file:
        file.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n")
        file.write(f"{count}\n" + "".join(f'{2 if space.flat else 3} {k + 1} "piece_{k}"\n' for k in range(count)))
        file.write(f"$EndPhysicalNames\n$Nodes\n{len(nodes)}\n")
        file.write("".join("{} {:.12g} {:.12g} {:.12g}\n".format(k + 1, *x) for k, x in enumerate(nodes)))
        file.write(f"$EndNodes\n$Elements\n{len(elements)}\n")
        file.write("".join(f"{k + 1} {space.kind} 2 {group} {group} {' '.join(map(str, cell))}\n"
                           for k, (group, cell) in enumerate(elements)))
        file.write("$EndElements\n")
    with open(HERE / f"{name}.yaml", "w", encoding="ascii") as file:
        file.write(head + "bodies:\n" + "".join(bodies) + tail)


HEAD = """\
# {} cut into {} angular fragments that separate, turn and collide: the paper's motivation. They begin face to face, a
# thousandth of their size from each other.
#
# Written by scenes/fragment_meshes.py: the cuts, velocities and spins are random, one fragment in five flies inward. Not from
# the paper, which has no such example.
title: {}
integrator: {}
time: {{end: {}, step: auto, safety: {}}}
"""
TAIL = """contact: {{restitution: 0}}
output:
  history: {{every: 1}}
expect:
{}  max_penetration: "< 1e-12"  # rounding of positions; surfaces in space keep a clearance of 1e-8 of their size
  halved_steps: "<= 50"  # 0 or 1: a step is halved if its contacts do not converge within `passes`
  numerical_events: 0
  contact_events: "> {}"  # {}: the bound only requires contact
  last_contact: "< {}"  # {}: the fragments have parted before the end
  momentum_error: "< 1e-12"  # rounding
  angular_momentum_error: "< 1e-12"  # rounding
  energy_error: "< 0.01"  # contact acts on whole steps; falls with the step
  energy_change: {{gate: "< 0", source: "implicit contact takes energy and gives none"}}
"""
METHOD = "nonsmooth-newmark"
write("fragments_2d", HEAD.format("A square", 40, "Fragments, plane", METHOD, 2, 0.25), TAIL.format("", 500, 1560, 1.5, 1.03),
      Plane, 40, 1)
write("fragments", HEAD.format("A cube", 100, "Fragments", METHOD, 2, 0.5),
      TAIL.format("  intersections: 0\n", 5000, 9260, 2, 0.838), Space, 100, 1)
