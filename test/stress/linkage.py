# SPDX-License-Identifier: MIT
"""The part of the generator that chooses obstacles, joints, springs and ties."""
from .shapes import corners, plane_shape, random_unit, Shape, shell_shape, solid_shape
from .vectors import minus, norm, plus, times, turn


class Linking:
    """Mixed into the maker of a scene."""

    def add_obstacle(self):
        """At the begin of the row, where the first plane would be."""
        chance = self.chance
        if not self.may("obstacles") or self.world in ("line", "beam", "alone", "tied") or chance.random() > 0.2:
            return
        if self.method == "energy-momentum" and any({"point", "line"} & set(s.mesh) for s in self.shapes):
            # they have no normal that would show the side of a face
            return
        kind = plane_shape if self.flat else chance.choice([solid_shape, solid_shape, shell_shape])
        shape = kind(chance, "obstacle", self.units, 2)
        shape.element, shape.material, shape.obstacle, shape.cell = None, None, {}, 1e9
        shape.wave = (self.young / self.density) ** 0.5
        if self.flat:
            shape.turn((0, 0, 1), chance.uniform(-180, 180))
        else:
            shape.turn(random_unit(chance), chance.uniform(0, 180))
        self.shapes.insert(0, shape)

    def obstacle_motion(self, shape, end):
        """At rest, or driven at a part of the speed of the others."""
        chance, units = self.chance, self.units
        motion = {}
        v = times(0.5 * self.speed * chance.random(), random_unit(chance, self.flat))
        way = chance.choice(["rest", "rest", "velocity", "velocities", "path", "turn", "both"])
        if way in ("velocity", "both"):
            motion.update(velocity=units(list(v), 1, 0, -1), **self.factor(end))
        elif way == "velocities":
            motion["velocities"] = [[0, 0, 0, 0], [units(0.4 * end, time=1), *units(list(v), 1, 0, -1)],
                                    [units(0.8 * end, time=1), *units(list(times(-0.5, v)), 1, 0, -1)]]
        elif way == "path":
            there = units(list(times(0.3 * end, v)), 1)
            motion["path"] = [[0, 0, 0, 0], [units(0.3 * end, time=1), *there], [units(0.9 * end, time=1), *times(-0.5, there)]]
        if way in ("turn", "both"):
            axis = [0, 0, 1] if self.flat else list(random_unit(chance))
            rate = self.speed / shape.size * chance.uniform(-1.5, 1.5)
            motion["turn"] = {"rate": units(rate, time=-1), "axis": axis, **self.factor(end)}
            if chance.random() < 0.5:
                motion["turn"]["point"] = units(list(shape.at), 1)
        return motion

    def link(self):
        """Joints of rigid bodies with the ground and each other, motors, and springs."""
        chance = self.chance
        rigid = [s for s in self.shapes if self.is_rigid(s)]
        if not rigid:
            return
        if chance.random() < 0.55:
            self.make_joints(rigid[:chance.randint(1, len(rigid))])
        for shape in rigid:
            if chance.random() < 0.3 and "box" in shape.mesh:
                self.make_spring(shape)

    def make_joints(self, rigid):
        """A chain, with axes that are all the same or at random, perhaps held by the ground at both ends."""
        chance, units = self.chance, self.units
        common = random_unit(chance)
        before = None
        for shape in rigid:
            kind = chance.choice(["hinge", "hinge", "ball", "slider", "cylinder", "planar", "upright"])
            axis = common if chance.random() < 0.7 else random_unit(chance)
            joint = {"kind": kind, "body": shape.name}
            if before and chance.random() < 0.8:
                joint["to"] = before.name
                self.joined.append((shape.name, before.name))
                at = times(0.5, plus(shape.at, before.at))
            else:
                at = plus(shape.at, times(0.4 * shape.size, random_unit(chance)))
            if kind in ("hinge", "ball", "cylinder"):
                joint["at"] = units(list(at), 1)
            if kind not in ("ball", "upright"):
                joint["axis"] = list(axis)
            if kind in ("hinge", "slider") and chance.random() < 0.3:
                rate = self.speed * chance.uniform(-1, 1)
                joint["speed"] = units(rate / shape.size, time=-1) if kind == "hinge" else units(rate, 1, 0, -1)
                if chance.random() < 0.5:
                    joint["ramp"] = units(self.gap / self.speed, time=1)
                if chance.random() < 0.3:
                    joint["until"] = units(2 * self.gap / self.speed, time=1)
            self.joints.append(joint)
            before = shape
        if len(rigid) > 1 and chance.random() < 0.15:
            at = plus(before.at, times(0.4 * before.size, random_unit(chance)))
            self.joints.append({"kind": "ball", "body": before.name, "at": units(list(at), 1)})

    def make_spring(self, shape):
        """From a corner of a box to the ground or to a corner of another one."""
        chance, units = self.chance, self.units

        def corner(of):
            p = chance.choice(of.hull)
            return plus(of.at, turn(of.rows, p) if of.rows else p)

        here = corner(shape)
        others = [s for s in self.shapes if s is not shape and "box" in s.mesh and s.obstacle is None]
        if others and chance.random() < 0.6:
            other = chance.choice(others)
            there, far = corner(other), {"body": other.name}
        else:
            there, far = plus(here, times(chance.uniform(0.3, 1), random_unit(chance))), {}
        mass = self.mass_of(shape)
        rate = self.speed / shape.size * 10 ** chance.uniform(-0.5, 1)
        spring = {"from": {"body": shape.name, "point": units(list(here), 1)}, "to": {**far, "point": units(list(there), 1)}}
        if chance.random() < 0.8:
            spring["stiffness"] = units(mass * rate**2, mass=1, time=-2)
            if chance.random() < 0.4:
                spring["length"] = units(norm(minus(here, there)) * chance.uniform(0.3, 1.5), 1)
        if "stiffness" not in spring or chance.random() < 0.3:
            spring["damping"] = units(mass * rate * 10 ** chance.uniform(-2, 1), mass=1, time=-1)
        self.springs.append(spring)

    def pin(self):
        """Connections of corners, once the bodies have their places."""
        if not self.pins:
            return
        (feet, gap), (one, other) = self.pins, self.shapes[:2]
        for x, y in feet[:self.chance.randint(1, 3)]:
            ends = [plus(s.at, turn(s.rows, p) if s.rows else p) for s, p in ((one, (x, y, 0.0)), (other, (x, y, gap)))]
            self.connections.append({"from": {"body": one.name, "point": self.units(list(ends[0]), 1)},
                                     "to": {"body": other.name, "point": self.units(list(ends[1]), 1)}})

    def mass_of(self, shape):
        """About that of a rigid body, in units of the scene."""
        return self.density * 10 ** -0.5 * shape.size**3

    def make_tied(self):
        """A block in two parts whose meshes do not match, tied or pinned together, and what hits it."""
        chance, units = self.chance, self.units
        a, b, low, high = (chance.uniform(0.25, 0.6) for _ in range(4))
        pinned = chance.random() < 0.25
        gap = 0.05 if pinned else 0.0
        shapes = []
        for i, (bottom, top) in enumerate(((-low, 0.0), (gap, gap + high))):
            cells, counts = chance.choice(["tet4", "hex8"]), [chance.randint(1, 3) for _ in range(3)]
            mesh = {"from": units([-a, -b, bottom], 1), "to": units([a, b, top], 1), "elements": counts, "cells": cells}
            cell = min(2 * a / counts[0], 2 * b / counts[1], (top - bottom) / counts[2]) * (0.6 if cells == "tet4" else 1)
            shape = Shape(f"body_{i}", {"box": mesh}, corners(a, b, max(low, gap + high)), cell, [])
            shape.element = cells
            shapes.append(shape)
        if self.method == "newmark-dcr" and not pinned and chance.random() < 0.3:
            shapes[0].element, shapes[0].cell = {"rigid": {"density": 1.0}}, 1e9
        shapes = [self.finish(shape, turned=False) for shape in shapes]
        axis, angle = random_unit(chance), chance.choice([0, chance.uniform(0, 180)])
        for shape in shapes:
            if angle:
                shape.turn(axis, angle)
        shapes[1].beside = shapes[0]
        if pinned:
            self.joined.append(("body_0", "body_1"))
            self.pins = [(a, b), (-a, b), (a, -b)], gap
        else:
            self.ties = [{"from": {"body": "body_1", "set": "zmin"}, "to": {"body": "body_0", "set": "zmax"}}]
        if chance.random() < 0.7:
            shapes.append(self.finish(solid_shape(chance, "body_2", units, 2)))
        return shapes
