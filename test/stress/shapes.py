# SPDX-License-Identifier: MIT
"""Random bodies: meshes, elements, laws, placement.

A body is made in units of its scene (lengths about 1, wave speed about 1) and told in the units of the file by `Units`. It keeps
the points of a hull around it, so that others can be placed beside it, and the time of a wave through its smallest cell.
"""
import math

from .vectors import dot, norm, plus, rotation, times, turn, unit


class Units:
    """Length, mass and time of the file for one of each in the scene."""

    def __init__(self, length, mass, time):
        self.length, self.mass, self.time = length, mass, time

    def __call__(self, value, length=0, mass=0, time=0):
        factor = self.length**length * self.mass**mass * self.time**time
        return [v * factor for v in value] if isinstance(value, (list, tuple)) else value * factor


class Shape:
    """A body under construction."""

    def __init__(self, name, mesh, hull, cell, sets, radius=0.0):
        self.name, self.mesh, self.hull, self.cell, self.sets, self.radius = name, mesh, hull, cell, sets, radius
        self.rows, self.axis, self.angle, self.at = None, (0, 0, 1), 0.0, (0.0, 0.0, 0.0)
        self.element, self.material, self.law = None, None, None
        # factors of a mesh file; the motion of an obstacle; whose place it shares
        self.scale, self.obstacle, self.beside = None, None, None
        self.wave, self.size = 1.0, 2 * max([norm(p) for p in hull] + [radius])

    def turn(self, axis, angle):
        self.axis, self.angle = axis, angle
        self.rows = rotation(axis, math.radians(angle))

    def reach(self, direction):
        """How far the hull extends along a direction from the origin of the scene."""
        points = [turn(self.rows, p) if self.rows else p for p in self.hull]
        return dot(self.at, direction) + max(dot(p, direction) for p in points) + self.radius

    def move(self, by):
        self.at = plus(self.at, by)


def corners(a, b, c):
    return [(x, y, z) for x in (-a, a) for y in (-b, b) for z in (-c, c)]


def random_unit(chance, flat=False):
    v = (chance.gauss(0, 1), chance.gauss(0, 1), 0.0 if flat else chance.gauss(0, 1))
    return unit(v) if norm(v) > 0.1 else random_unit(chance, flat)


def solid_shape(chance, name, units, fine):
    cells = chance.choice(["tet4", "hex8"])
    kind = chance.choice(["box", "box", "ball", "cylinder", "plate", "tube"])
    n = chance.randint(1, fine)
    if kind == "box":
        half = [chance.uniform(0.25, 0.6) for _ in range(3)]
        counts = [chance.randint(1, fine) for _ in range(3)]
        mesh = {"from": units([-h for h in half], 1), "to": units(half, 1), "elements": counts, "cells": cells}
        if chance.random() < 0.2:
            mesh["grading"] = [chance.choice([1, 1.5, 2]) for _ in range(3)]
        grade = max(mesh.get("grading", [1]))
        cell = min(2 * h / m**grade for h, m in zip(half, counts))
        shape = Shape(name, None, corners(*half), cell, ["xmin", "xmax", "ymin", "zmax"])
    elif kind == "plate":
        half = [chance.uniform(0.4, 0.7), chance.uniform(0.4, 0.7), chance.uniform(0.05, 0.15)]
        mesh = {"length": units(2 * half[0], 1), "width": units(2 * half[1], 1), "thickness": units(2 * half[2], 1),
                "columns": n + 1, "rows": n + 1, "layers": 1, "cells": cells}
        shape = Shape(name, None, corners(*half), min(2 * half[2], 0.8 / (n + 1)), ["top", "bottom", "rim"])
    elif kind == "ball":
        radius = chance.uniform(0.3, 0.6)
        mesh = {"radius": units(radius, 1), "divisions": chance.randint(1, 2), "layers": 1, "cells": cells}
        shape = Shape(name, None, [(0, 0, 0)], radius / 3, ["surface", "zmin", "xmax"], radius)
    else:
        radius, height = chance.uniform(0.25, 0.5), chance.uniform(0.4, 1)
        mesh = {"center": units([0, 0, -height / 2], 1), "height": units(height, 1), "slices": n, "cells": cells, "layers": 1}
        mesh.update({"radius": units(radius, 1), "divisions": chance.randint(1, 2)} if kind == "cylinder" else
                    {"inner": units(0.5 * radius, 1), "outer": units(radius, 1), "around": chance.randint(5, 8)})
        shape = Shape(name, None, corners(radius, radius, height / 2), min(radius / 3, height / n), ["bottom", "top"])
    shape.mesh = {kind: mesh}
    shape.element = chance.choice([cells, cells, "nodal"])
    if shape.element == "nodal" and chance.random() < 0.5:
        shape.element = {"nodal": {"stabilisation": chance.choice([0.02, 0.1, 0.3])}}
    if shape.element == "hex8":
        shape.element = chance.choice(["hex8", {"hex8": {"integration": "one-point"}}, {"hex8": {"integration": "mean-dilatation"}},
                                       {"hex8": {"integration": "one-point", "hourglass": chance.choice([0.05, 0.3, 1])}}])
    if shape.element == "tet4" and chance.random() < 0.2:
        shape.element = {"tet4": {"volume": "nodal"}}
    if cells == "tet4":
        shape.cell *= 0.6
    return shape


def shell_shape(chance, name, units, fine):
    kind = chance.choice(["sphere", "cube", "rectangle", "hexagonal-disc"])
    thickness = 10 ** chance.uniform(-2, -1)
    if kind == "sphere":
        radius = chance.uniform(0.3, 0.6)
        faces = chance.choice([20, 32, 48, 80] if fine > 2 else [20, 32])
        shape = Shape(name, {"radius": units(radius, 1), "faces": faces}, [(0, 0, 0)], 2 * radius / math.sqrt(faces), ["surface", "xmin"],
                      radius)
    elif kind == "cube":
        side, n = chance.uniform(0.5, 1), chance.randint(2, 3)
        shape = Shape(name, {"side": units(side, 1), "divisions": n}, corners(*[side / 2] * 3), 0.5 * side / n, ["xmin", "zmax"])
    elif kind == "rectangle":
        a, b, n, m = chance.uniform(0.4, 0.7), chance.uniform(0.4, 0.7), chance.randint(2, 4), chance.randint(2, 4)
        mesh = {"from": units([-a, -b, 0], 1), "to": units([a, b, 0], 1), "columns": n, "rows": m, "cells": "tri3"}
        shape = Shape(name, mesh, corners(a, b, 0), min(a / n, b / m), ["xmin", "rim"])
    else:
        radius, rings = chance.uniform(0.4, 0.7), chance.randint(2, 3)
        shape = Shape(name, {"radius": units(radius, 1), "rings": rings}, corners(radius, radius, 0), 0.6 * radius / rings, ["rim"])
    shape.mesh = {kind: shape.mesh}
    shape.element = {"loop-shell": {"thickness": units(thickness, 1), "integration": chance.choice(["one-point", "three-point"])}}
    return shape


def plane_shape(chance, name, units, fine):
    cells = chance.choice(["tri3", "quad4"])
    kind = chance.choice(["rectangle", "rectangle", "disc", "ring"])
    n, m = chance.randint(1, fine + 1), chance.randint(1, fine + 1)
    if kind == "rectangle":
        a, b = chance.uniform(0.2, 0.6), chance.uniform(0.2, 0.6)
        mesh = {"from": units([-a, -b, 0], 1), "to": units([a, b, 0], 1), "columns": n, "rows": m, "cells": cells}
        shape = Shape(name, {kind: mesh}, corners(a, b, 0), min(2 * a / n, 2 * b / m), ["xmin", "ymax"])
    elif kind == "disc":
        radius = chance.uniform(0.3, 0.6)
        mesh = {"radius": units(radius, 1), "divisions": chance.randint(1, 3), "layers": chance.randint(1, 2), "cells": cells}
        shape = Shape(name, {kind: mesh}, [(0, 0, 0)], radius / 5, ["rim"], radius)
    else:
        radius = chance.uniform(0.3, 0.6)
        mesh = {"inner": units(0.6 * radius, 1), "outer": units(radius, 1), "around": chance.randint(5, 14), "layers": chance.randint(1, 2),
                "cells": cells}
        shape = Shape(name, {kind: mesh}, [(0, 0, 0)], 0.2 * radius, ["inner", "outer"], radius)
    shape.element = {cells: {"plane": chance.choice(["strain", "strain", "stress"]), "thickness": units(chance.choice([1, 0.1]), 1)}}
    if cells == "quad4" and shape.element[cells]["plane"] == "strain" and chance.random() < 0.3:
        shape.element[cells]["integration"] = "mean-dilatation"
    if cells == "tri3":
        shape.cell *= 0.6
    return shape


def bar_shape(chance, name, units, fine, along=(1.0, 0.0, 0.0), straight=False):
    half, n = chance.uniform(0.2, 0.6), chance.randint(1, 2 * fine)
    mesh = {"from": units(times(-half, along), 1), "to": units(times(half, along), 1), "elements": n}
    if chance.random() < 0.2:
        mesh["grading"] = chance.choice(["start", "end"])
    shape = Shape(name, {"line": mesh}, [times(-half, along), times(half, along)], 2 * half / n, ["start", "end"])
    if "grading" in mesh:
        shape.cell /= n
    strain = chance.choice(["small", "green", "log"] if straight else ["green", "green", "log"])
    shape.element = {"bar": {"area": units(10 ** chance.uniform(-4, -1), 2), "strain": strain}}
    return shape


def point_shape(chance, name, units, *_):
    shape = Shape(name, {"point": {"at": [0, 0, 0]}}, [(0, 0, 0)], math.inf, ["point"])
    shape.element = {"point-mass": {"mass": units(10 ** chance.uniform(-3, 0), mass=1)}}
    shape.size = 0.3
    return shape


def beam_shape(chance, name, units, fine):
    n, half = chance.randint(2, 3 * fine), chance.uniform(0.4, 0.8)
    section = chance.choice(["circle", "rectangle"])
    size = chance.uniform(0.02, 0.08)
    if chance.random() < 0.5:
        shape = Shape(name, {"line": {"from": units([-half, 0, 0], 1), "to": units([half, 0, 0], 1), "elements": n}},
                      [(-half, 0, 0), (half, 0, 0)], 2 * half / n, ["start", "end"])
    else:
        bend = chance.uniform(0.2, 2)
        mesh = {"length": units(half, 1), "elements": n, "curvature": units([bend, 0, 0], -1)}
        # an arc that sets out along z, to either side
        arc = [(0, sign * (1 - math.cos(bend * s)) / bend, math.sin(bend * s) / bend) for sign in (-1, 1)
               for s in [half * i / n for i in range(n + 1)]]
        shape = Shape(name, {"curve": mesh}, arc, half / n, ["start", "end"])
    # shear and rotation of sections are faster than waves along the beam
    shape.cell = min(shape.cell, 0.5 * size)
    shape.element = {"exact-beam": {"section": section, **({"radius": units(size, 1)} if section == "circle" else
                                                           {"width": units(size, 1), "height": units(1.5 * size, 1)})}}
    return shape


def prism_shape(chance, name, units, fine):
    """A box of prisms from a mesh file, which `trial` writes for its name: no generator makes them."""
    half = [chance.uniform(0.25, 0.6) for _ in range(3)]
    n, m = chance.randint(1, fine), chance.randint(1, fine)
    shape = Shape(name, {"file": {"path": f"prisms_{n}_{m}.vtk"}}, corners(*half), 0.6 * min(2 * min(half[:2]) / n, 2 * half[2] / m), [])
    shape.scale = units([2 * h for h in half], 1)
    shape.element = "wedge6"
    return shape


def rigid_shape(chance, name, units, fine):
    """Any closed surface or solid mesh, or a sheet with a mass."""
    shape = chance.choice([solid_shape, solid_shape, prism_shape, shell_shape])(chance, name, units, min(fine, 2))
    if next(iter(shape.mesh)) in ("rectangle", "hexagonal-disc") or chance.random() < 0.4:
        shape.element = {"rigid": {"mass": 10 ** chance.uniform(-1.5, 0.5)}}
    else:
        shape.element = {"rigid": {"density": 10 ** chance.uniform(-0.7, 0.7)}}
    shape.cell = 1e9
    return shape


def body_entry(shape, units):
    """The body as the scene has it."""
    entry = {"name": shape.name, "mesh": shape.mesh}
    if shape.obstacle is None:
        entry["element"] = shape.element
    else:
        entry["obstacle"] = shape.obstacle
    if shape.material:
        entry["material"] = {shape.law: shape.material}
    place = {} if shape.scale is None else {"scale": shape.scale}
    if shape.angle:
        place.update(axis=list(shape.axis), angle=shape.angle)
    if norm(shape.at) > 0:
        place["translate"] = units(list(shape.at), 1)
    if place:
        entry["place"] = place
    return entry
