#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the meshes of solids that scenes read: the block with a fine insert of verify/drop_with_insert.yaml, the block with a
round bottom of verify/hertz_press.yaml, the L-shaped block and the hollow box of verify/soft, of bricks and of tetrahedra,
the quarters of rods of verify/taylor, the balls of verify/golf and verify/rebound, nail and block of verify/nail.

    python3 scenes/solid_meshes.py
"""
import itertools
import math
import pathlib

HERE = pathlib.Path(__file__).resolve().parent


def kuhn(n):
    """n^3 cubes of six tetrahedra each; a tetrahedron is its corners in order and how often it was halved, modulo 3. Corners
    are whole numbers on a lattice of 4096 per cube."""
    for origin in itertools.product(range(n), repeat=3):
        for axes in itertools.permutations(range(3)):
            corner, corners = list(origin), [tuple(4096 * c for c in origin)]
            for axis in axes:
                corner[axis] += 1
                corners.append(tuple(4096 * c for c in corner))
            yield tuple(corners), 0


def halve(tetrahedron):
    """The two halves after J. M. Maubach, SIAM J. Sci. Comput. 16 (1995) 210-227: three halvings make eight similar ones."""
    x, level = tetrahedron
    k = 3 - level
    middle = tuple((a + b) // 2 for a, b in zip(x[0], x[k]))
    rest = (middle,) + x[k + 1:]
    return (x[:k] + rest, (level + 1) % 3), (x[1:k + 1] + rest, (level + 1) % 3)


def edge(tetrahedron):
    x, level = tetrahedron
    return frozenset((x[0], x[3 - level]))


def refine(mesh, wanted):
    """Halves the wanted tetrahedra, and those that must then be halved too so that the mesh stays conforming."""
    halved = {edge(t) for t in mesh if wanted(t)}
    while True:
        middles = {e: tuple(sum(c) // 2 for c in zip(*e)) for e in halved}
        hanging = [t for t in mesh if any(frozenset(e) in middles for e in itertools.combinations(t[0], 2))]
        if not hanging:
            return mesh
        keep = set(hanging)
        mesh = [t for t in mesh if t not in keep]
        for t in hanging:
            halved.add(edge(t))
            mesh += halve(t)


def insert(n, low, high, halvings):
    mesh = list(kuhn(n))
    inside = lambda t: all(4096 * low <= sum(p[i] for p in t[0]) / 4 <= 4096 * high for i in range(3))
    for _ in range(halvings):
        mesh = refine(mesh, inside)
    return mesh, [t for t in mesh if inside(t)], [t for t in mesh if not inside(t)]


def volume(p):
    a, b, c = ([p[i][d] - p[0][d] for d in range(3)] for i in (1, 2, 3))
    return (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6


def write(name, scale, parts):
    """A .msh file, version 2.2, with a physical volume for each part."""
    number, cells = {}, []
    for tag, (_, tetrahedra) in enumerate(parts, 1):
        for x, _ in tetrahedra:
            p = x if volume(x) > 0 else (x[1], x[0], x[2], x[3])
            cells.append((tag, [number.setdefault(q, len(number) + 1) for q in p]))
    with open(HERE / name, "w", encoding="ascii") as file:
        file.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n{}\n".format(len(parts)))
        for tag, (label, _) in enumerate(parts, 1):
            file.write(f'3 {tag} "{label}"\n')
        file.write(f"$EndPhysicalNames\n$Nodes\n{len(number)}\n")
        for p, k in number.items():
            file.write("{} {:.10g} {:.10g} {:.10g}\n".format(k, *(scale * c / 4096 for c in p)))
        file.write(f"$EndNodes\n$Elements\n{len(cells)}\n")
        for e, (tag, nodes) in enumerate(cells, 1):
            file.write("{} 4 2 {} {} {} {} {} {}\n".format(e, tag, tag, *nodes))
        file.write("$EndElements\n")


def lattice(name, cubes, kind):
    """Unit cubes as a .msh file, version 2.2: bricks, or six tetrahedra each."""
    ring = [(0, 0), (1, 0), (1, 1), (0, 1)]
    number, cells = {}, []
    for cube in cubes:
        if kind == "hex8":
            parts = [[(i, j, k) for k in (0, 1) for i, j in ring]]
        else:
            parts = [[tuple(int(axis in axes[:n]) for axis in range(3)) for n in range(4)]
                     for axes in itertools.permutations(range(3))]
            parts = [p if volume(p) > 0 else [p[1], p[0], p[2], p[3]] for p in parts]
        for part in parts:
            cells.append([number.setdefault(tuple(a + b for a, b in zip(cube, p)), len(number) + 1) for p in part])
    with open(HERE / name, "w", encoding="ascii") as file:
        file.write(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{len(number)}\n")
        for p, k in number.items():
            file.write("{} {} {} {}\n".format(k, *p))
        file.write(f"$EndNodes\n$Elements\n{len(cells)}\n")
        for e, nodes in enumerate(cells, 1):
            file.write("{} {} 2 1 1 {}\n".format(e, 5 if kind == "hex8" else 4, " ".join(map(str, nodes))))
        file.write("$EndElements\n")


def places(size, count, ratio, end):
    """From 0 to `end`: `count` cells of one size, then cells that grow by a ratio, stretched to end there."""
    found = [i * size for i in range(count + 1)]
    while found[-1] < end:
        found.append(found[-1] + ratio * (found[-1] - found[-2]))
    rest, last = found[count], found[-1]
    return found[:count + 1] + [rest + (p - rest) * (end - rest) / (last - rest) for p in found[count + 1:]]


def round_block(name, radius, across, up):
    """A block over the corner of its floor, bent up to a paraboloid of that radius at the bottom and flat at the top."""
    n, m, top = len(across), len(up), up[-1]
    with open(HERE / name, "w", encoding="ascii") as file:
        file.write(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{n * n * m}\n")
        for k, (z, y, x) in enumerate(itertools.product(up, across, across), 1):
            rise = (x * x + y * y) / (2 * radius) * (1 - z / top)
            file.write(f"{k} {x:.6g} {y:.6g} {z + rise:.6g}\n")
        file.write(f"$EndNodes\n$Elements\n{(n - 1) ** 2 * (m - 1)}\n")
        at = lambda i, j, k: 1 + i + n * (j + n * k)
        for e, (k, j, i) in enumerate(itertools.product(range(m - 1), range(n - 1), range(n - 1)), 1):
            ring = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
            file.write("{} 5 2 1 1 {}\n".format(e, " ".join(str(at(*p, h)) for h in (k, k + 1) for p in ring)))
        file.write("$EndElements\n")


def quarter_disc(n):
    """A quarter of a disc of radius 1: n x n quadrilaterals around the centre and n rings of 2 n around them."""
    axis, corner = 0.55, 0.45
    points = {}
    for i, j in itertools.product(range(n + 1), repeat=2):
        u, v = i / n, j / n
        points[i, j] = (axis * u * (1 - v) + corner * u * v, axis * v * (1 - u) + corner * u * v)
    # along the two outer sides of the middle, from the x axis to the y axis
    rim = [(n, j) for j in range(n + 1)] + [(i, n) for i in range(n - 1, -1, -1)]
    nodes = [points[k] for k in sorted(points)]
    number = {k: m for m, k in enumerate(sorted(points))}
    rows = [[number[k] for k in rim]]
    for ring in range(1, n + 1):
        row = []
        for m, k in enumerate(rim):
            angle = math.pi / 4 * m / n
            outer = (math.cos(angle), math.sin(angle))
            row.append(len(nodes))
            nodes.append(tuple(a + (b - a) * ring / n for a, b in zip(points[k], outer)))
        rows.append(row)
    cells = [tuple(number[k] for k in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)))
             for i, j in itertools.product(range(n), repeat=2)]
    cells += [(low[m], high[m], high[m + 1], low[m + 1]) for low, high in zip(rows, rows[1:]) for m in range(2 * n)]
    return nodes, cells


def rod(name, radius, length, n, layers, cell):
    """A quarter of a rod along z, of bricks or of six tetrahedra for each brick."""
    disc, quads = quarter_disc(n)
    count, cells = len(disc), []
    for k, quad in itertools.product(range(layers), quads):
        if cell == "hex8":
            cells.append([1 + a + count * h for h in (k, k + 1) for a in quad])
            continue
        # two prisms; a vertical edge at each corner in turn, in the order of the numbers, so that neighbours agree
        for triangle in ((quad[0], quad[1], quad[2]), (quad[0], quad[2], quad[3])):
            a = sorted(triangle)
            (ax, ay), (bx, by), (cx, cy) = (disc[i] for i in a)
            for e in range(3):
                corners = [1 + i + count * k for i in a[:e + 1]] + [1 + i + count * (k + 1) for i in a[e:]]
                # (a, b, c, a above) turns as (a, b, c) does, (a, b, b above, c above) in the opposite sense
                if ((bx - ax) * (cy - ay) < (cx - ax) * (by - ay)) != (e == 1):
                    corners[0], corners[1] = corners[1], corners[0]
                cells.append(corners)
    with open(HERE / name, "w", encoding="ascii") as file:
        file.write(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{count * (layers + 1)}\n")
        for k, (h, (x, y)) in enumerate(itertools.product(range(layers + 1), disc), 1):
            file.write(f"{k} {radius * x:.10g} {radius * y:.10g} {length * h / layers:.10g}\n")
        file.write(f"$EndNodes\n$Elements\n{len(cells)}\n")
        for e, nodes in enumerate(cells, 1):
            file.write("{} {} 2 1 1 {}\n".format(e, 5 if cell == "hex8" else 4, " ".join(map(str, nodes))))
        file.write("$EndElements\n")


def bricks(name, nodes, parts):
    """Bricks as a .msh file, version 2.2, with a physical volume for each of the parts (label, cells)."""
    with open(HERE / name, "w", encoding="ascii") as file:
        file.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n{}\n".format(len(parts)))
        for tag, (label, _) in enumerate(parts, 1):
            file.write(f'3 {tag} "{label}"\n')
        file.write(f"$EndPhysicalNames\n$Nodes\n{len(nodes)}\n")
        for k, x in enumerate(nodes, 1):
            file.write("{} {:.8g} {:.8g} {:.8g}\n".format(k, *(c + 0.0 if abs(c) > 1e-12 else 0.0 for c in x)))
        cells = [(tag, cell) for tag, (_, some) in enumerate(parts, 1) for cell in some]
        file.write(f"$EndNodes\n$Elements\n{len(cells)}\n")
        for e, (tag, cell) in enumerate(cells, 1):
            file.write("{} 5 2 {} {} {}\n".format(e, tag, tag, " ".join(str(1 + k) for k in cell)))
        file.write("$EndElements\n")


def layered_ball(name, n, cube, radii, labels, halved):
    """A ball: n^3 cells in a bulging cube, and shells of 6 n^2 cells between its surface and the spheres of these radii. The
    corners of the cube have the distance `cube` from the centre. The label of each shell names its part; the cube belongs to
    the first. Of the axes that are `halved` only what is above 0 is taken; n is even."""
    number, nodes, parts = {}, [], {label: [] for label in labels}

    def place(at, shell):
        key = (at, shell)
        if key not in number:
            q = [2 * i / n - 1 for i in at]
            most = max(abs(c) for c in q)
            d = [math.tan(math.pi / 4 * c / most) if most else 0 for c in q]
            size = math.hypot(*d) or 1
            # the cube: halfway between flat faces and the ball around it
            inner = [0.5 * cube * (c / math.sqrt(3) + most * e / size) for c, e in zip(q, d)]
            number[key] = len(nodes)
            nodes.append(inner if shell < 0 else [radii[shell] * e / size for e in d])
        return number[key]

    # of a cell or face by its lowest corner
    inside = lambda low: all(low[axis] >= n // 2 for axis in halved)
    ring = [(0, 0), (1, 0), (1, 1), (0, 1)]
    for at in itertools.product(range(n), repeat=3):
        if inside(at):
            parts[labels[0]].append([place((at[0] + i, at[1] + j, at[2] + k), -1) for k in (0, 1) for i, j in ring])
    for shell, label in enumerate(labels):
        for axis, side, a, b in itertools.product(range(3), (0, n), range(n), range(n)):
            turned = ring if side else ring[::-1]
            quad = []
            for i, j in turned:
                at = [0, 0, 0]
                at[axis], at[(axis + 1) % 3], at[(axis + 2) % 3] = side, a + i, b + j
                quad.append(tuple(at))
            if inside([min(c) for c in zip(*quad)]):
                parts[label].append([place(at, level) for level in (shell - 1, shell) for at in quad])
    bricks(name, nodes, list(parts.items()))


def turned(name, n, profile, hole, wanted):
    """A quarter of a body of revolution about z, 2 n cells around. `profile` has a row for each level: its height and the radii
    of its rings. Ring 0 is the rim of the hole, or without one the middle of quarter_disc(n) for that radius; wanted(level,
    ring) says whether there are cells above a level and within a ring."""
    disc, quads = quarter_disc(n)
    square = list(itertools.product(range(n + 1), repeat=2))
    rim = [square.index(k) for k in [(n, j) for j in range(n + 1)] + [(i, n) for i in range(n - 1, -1, -1)]]
    number, nodes, cells = {}, [], []

    def place(level, ring, m):
        # a node of the rim of the middle is one of its grid
        inner = ring == 0 and not hole
        key = (level, ring, m)
        if key not in number:
            z, radii = profile[level]
            angle = math.pi / 4 * m / n
            x, y = disc[m] if inner else (math.cos(angle), math.sin(angle))
            number[key] = len(nodes)
            nodes.append((radii[ring] * x, radii[ring] * y, z))
        return number[key]

    for level in range(len(profile) - 1):
        both = (level, level + 1)
        if not hole and wanted(level, 0):
            cells += [[place(h, 0, m) for h in both for m in quad] for quad in quads[:n * n]]
        for ring in range(1, len(profile[level][1])):
            low = (lambda m: rim[m]) if ring == 1 and not hole else (lambda m: m)
            if wanted(level, ring):
                cells += [[place(h, *p) for h in both for p in ((ring - 1, low(m)), (ring, m), (ring, m + 1),
                                                                (ring - 1, low(m + 1)))]
                          for m in range(2 * n)]
    bricks(name, nodes, [("body", cells)])


def nail(name):
    """4 mm thick and 26 mm long, with a head of 7.2 mm and a blunt tip: a cone with a slope of 1/5 from 1.4 mm to 2 mm. The
    cone begins at z = 0."""
    radius = lambda z: 1.4e-3 + min(z, 3e-3) / 5
    heights = [1e-3 * z for z in (0, 1, 2, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 24.5, 26)]
    profile = [(z, [radius(z), radius(z), 3.6e-3]) for z in heights]
    turned(name, 2, profile, False, lambda level, ring: ring <= 1 or heights[level] > 24.4e-3)


def drilled(name):
    """A block around a hole of 3.2 mm: 24 mm wide, 12 mm high."""
    radii = [1.6e-3]
    for k in range(6):
        radii.append(radii[-1] + 1.4 ** k)
    radii = [1.6e-3 + (r - 1.6e-3) * 10.4e-3 / (radii[-1] - 1.6e-3) for r in radii]
    turned(name, 2, [(-12e-3 + 1e-3 * k, radii) for k in range(13)], True, lambda level, ring: True)


def cubes(shape, inside):
    return [c for c in itertools.product(*map(range, shape)) if inside(c)]


if __name__ == "__main__":
    whole, fine, coarse = insert(3, 1, 2, 6)
    write("verify/insert.msh", 1 / 3, [("block", coarse), ("insert", fine)])
    round_block("verify/round_block.msh", 40, places(0.16, 8, 1.5, 5), places(0.137, 8, 1.5, 5))
    for cell in ("hex8", "tet4"):
        lattice(f"verify/soft/l_block_{cell}.msh", cubes((6, 6, 3), lambda c: c[0] < 3 or c[1] < 3), cell)
        lattice(f"verify/soft/hollow_box_{cell}.msh", cubes((6, 6, 6), lambda c: not all(0 < i < 5 for i in c)), cell)
        rod(f"verify/taylor/rod_{cell}.msh", 3.2e-3, 32.4e-3, 2, 25, cell)
    rod("verify/taylor/short_hex8.msh", 3.81e-3, 25.4e-3, 2, 25, "hex8")
    shells = [13e-3, 16.2e-3, 18.9e-3, 20.2e-3, 21.35e-3], ["core", "core", "core", "mantle", "cover"]
    layered_ball("verify/golf/quarter.msh", 6, 9.5e-3, *shells, (0, 1))
    layered_ball("verify/golf/half.msh", 4, 9.5e-3, *shells, (1,))
    layered_ball("verify/rebound/quarter.msh", 6, 10e-3, [13e-3, 16.5e-3, 20e-3], ["ball"] * 3, (0, 1))
    nail("verify/nail/nail.msh")
    drilled("verify/nail/block.msh")
