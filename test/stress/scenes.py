# SPDX-License-Identifier: MIT
"""The generator: a random scene from a seed.

Bodies stand in a row along a random direction and fly at each other or at planes across it, so that most of them touch. A scene
is one of five worlds: bodies in space, plane bodies, bars and points on one line, beams, solids by multisymplectic. Lengths are
about 1 and wave speeds about 1 before units are chosen; `mach` is the speed of impacts over that of waves.
"""
import random

from .acting import Acting
from .capabilities import has
from .linkage import Linking
from .materials import give_material, kind_of, parts
from .shapes import (Units, bar_shape, beam_shape, body_entry, plane_shape, point_shape, prism_shape, random_unit, rigid_shape,
                     shell_shape, solid_shape)
from .vectors import dot, minus, plus, times, unit

# World: weight and the methods it may take.
WORLDS = {"space": (36, ("newmark-dcr", "newmark-dcr", "asynchronous", "nonsmooth-newmark", "energy-momentum")),
          "plane": (17, ("newmark-dcr", "asynchronous", "nonsmooth-newmark", "energy-momentum")),
          "line": (9, ("newmark-dcr", "asynchronous", "nonsmooth-newmark", "energy-momentum", "multisymplectic", "multisymplectic")),
          "beam": (5, ("multisymplectic",)), "alone": (5, ("multisymplectic",)),
          "rigid": (16, ("newmark-dcr", "newmark-dcr", "asynchronous")), "tied": (10, ("newmark-dcr", "newmark-dcr", "energy-momentum"))}
# Steps after which a scene ends: it is to be judged within a second.
MOST_STEPS = {"newmark-dcr": 400, "asynchronous": 250, "nonsmooth-newmark": 200, "energy-momentum": 30, "multisymplectic": 1500}
LONG_STEPS = 100000  # of some small scenes


def random_units(chance):
    # m kg s; mm t s; cm g ms; anything
    anything = [10 ** chance.uniform(-3, 3) for _ in range(3)]
    return Units(*chance.choice([(1, 1, 1), (1e3, 1e-3, 1), (1e2, 1e3, 1e3), anything]))


def integrator(chance, method):
    """The method with some of its parameters."""
    params = {}

    def maybe(share, name, *values):
        if chance.random() < share:
            params[name] = chance.choice(values)

    if method == "asynchronous":
        maybe(0.6, "beta", 0.1, 0.5, 0.8, 1)
        maybe(0.4, "classes", 0, 1, 4, 32)
        maybe(0.4, "contact", "sequential-synchronous", "constant", "adaptive")
        if params.get("contact") == "adaptive":
            maybe(0.5, "alpha", 0.1, 1)
        maybe(0.1, "centred", False)
    elif method == "multisymplectic":
        maybe(0.3, "contact-integrator", 2)
        maybe(0.3, "contact_rule", "printed", "kinked")
        maybe(0.3, "start", "slab")
    elif method == "energy-momentum":
        maybe(0.15, "scheme", "midpoint", "newmark")
        maybe(0.25, "velocity-update", "off", "smallest-root")
        maybe(0.2, "update", "paper")
        maybe(0.3, "slave", "second", "both")
        maybe(0.3, "quadrature", "nodal")
        maybe(0.3, "augmented", 0, 3, 10)
    elif method == "nonsmooth-newmark":
        maybe(0.25, "beta", 0.25, 0.25, 0.1)
        maybe(0.1, "gamma", 0.6)
        maybe(0.2, "gradients", "end")
        maybe(0.2, "slip", "increment")
        maybe(0.2, "pairing", "closest")
        maybe(0.2, "measure", "gap")
        maybe(0.15, "contact", "penalty")
    return {method: params} if params else method


class Maker(Acting, Linking):
    """A scene under construction."""

    def __init__(self, seed):
        self.chance = chance = random.Random(f"carom stress {seed}")
        self.units = random_units(chance)
        names = list(WORLDS)
        self.world = chance.choices(names, [WORLDS[name][0] for name in names])[0]
        self.method = chance.choice(WORLDS[self.world][1])
        self.integrator = integrator(chance, self.method)
        self.params = self.integrator[self.method] if isinstance(self.integrator, dict) else {}
        self.flat = self.world == "plane"
        self.young, self.density = 10 ** chance.uniform(3, 11), 10 ** chance.uniform(2, 4)
        # below the wave speed as a rule; some scenes are there to be stopped
        self.mach = 10 ** chance.uniform(-2, -0.3) if chance.random() < 0.9 else chance.uniform(0.5, 2)
        self.direction = random_unit(chance, self.flat)
        self.joints, self.springs, self.ties, self.connections, self.joined = [], [], [], [], []
        self.pins = None
        self.shapes = self.make_tied() if self.world == "tied" else self.make_shapes()
        self.add_obstacle()
        self.fit_method()
        # what contact by projection and by polling lacks
        self.needs_exact = self.world == "tied" or any(s.obstacle is not None or self.is_rigid(s) for s in self.shapes)
        self.wave = min(s.wave for s in self.shapes)
        self.pace = min([s.cell / s.wave for s in self.shapes if s.wave > 0 and s.cell < 1e9] or [0.1 / self.wave])
        self.speed = self.mach * self.wave
        self.safety = 0.04 if self.world == "beam" else chance.choice([0.5, 0.5, 0.8, 0.95, 1, chance.uniform(0.1, 1)])
        self.step = self.safety * self.pace * (5 if self.method == "energy-momentum" else 0.8)
        # contact begins in the first third
        self.gap = min(chance.uniform(0.02, 0.2), 0.3 * MOST_STEPS[self.method] * self.step * self.speed)

    def fit_method(self):
        """Leaves out parameters that the bodies do not allow: what is refused tells nothing."""
        params = self.params
        elements = [kind_of(s.element)[0] if s.element else "obstacle" for s in self.shapes]
        open_skin = any(name in s.mesh for s in self.shapes for name in ("rectangle", "hexagonal-disc")
                        if s.element and "loop-shell" in s.element)
        bound = any(s.obstacle is not None or self.is_rigid(s) for s in self.shapes)
        if self.method == "asynchronous" and (open_skin and self.chance.random() < 0.9 or bound):
            params.pop("contact", None)
        if self.world == "tied" and params.get("scheme") == "newmark":
            params.pop("scheme")
        small = all(e == "bar" and s.element["bar"]["strain"] == "small" and s.mesh["line"]["elements"] > 1
                    for e, s in zip(elements, self.shapes))
        if not small:
            params.pop("contact-integrator", None)
        if self.world in ("beam", "alone") and params.get("contact_rule"):
            params.pop("contact_rule")
        if not params:
            self.integrator = self.method

    def may(self, need):
        """Whether the method has something, as far as it is known what else the scene needs."""
        return has(self.method, need, self.params)

    def is_rigid(self, shape):
        return isinstance(shape.element, dict) and "rigid" in shape.element

    def is_elastic(self, shape):
        return shape.material is not None

    def kinds(self):
        """The makers of shapes that a world draws from."""
        shells = 0 if self.method == "energy-momentum" else 3
        return {"space": [solid_shape] * 5 + [prism_shape] + [shell_shape] * shells + [point_shape, bar_shape] +
                [rigid_shape] * self.may("rigid bodies"), "rigid": [rigid_shape] * 4 + [solid_shape, shell_shape, point_shape],
                "plane": [plane_shape] * 5 + [point_shape, bar_shape], "line": [bar_shape, bar_shape, point_shape], "beam": [beam_shape],
                "alone": [solid_shape, plane_shape]}[self.world]

    def make_shapes(self):
        chance = self.chance
        count = {"space": chance.choice([1, 2, 2, 2, 3, 4]), "plane": chance.choice([1, 2, 2, 3, 4]), "line": chance.choice([1, 2, 2, 3]),
                 "beam": 1, "alone": chance.choice([1, 1, 2]), "rigid": chance.choice([1, 2, 2, 3, 4])}[self.world]
        implicit = self.method == "energy-momentum" or self.params.get("beta", 0) and self.method == "nonsmooth-newmark"
        fine = 2 if implicit or count > 2 else 3
        kinds = self.kinds()
        if self.world == "alone":
            kinds = [chance.choice(kinds)]
            self.flat = kinds[0] is plane_shape
            self.direction = random_unit(chance, self.flat)
        shapes = []
        for i in range(count):
            kind = chance.choice(kinds)
            # something must be elastic, or rigid
            if kind is point_shape and i == count - 1 and all("point" in s.mesh for s in shapes):
                kind = kinds[0]
            shapes.append(self.finish(self.draw(kind, i, fine)))
        return shapes

    def draw(self, kind, i, fine):
        if kind is not bar_shape:
            return kind(self.chance, f"body_{i}", self.units, fine)
        line = self.world == "line"
        return bar_shape(self.chance, f"body_{i}", self.units, fine, self.direction if line else (1.0, 0.0, 0.0), line)

    def finish(self, shape, turned=True):
        """Gives a shape what its method allows, its material and a turn."""
        chance, units = self.chance, self.units
        if self.method == "energy-momentum" and kind_of(shape.element)[0] == "nodal":
            shape.element = next(iter(shape.mesh.values())).get("cells", "tet4")
        kind, params = kind_of(shape.element)
        if kind == "bar" and params["strain"] == "log" and not self.may("plasticity and viscosity"):
            params["strain"] = "green"
        give_material(chance, shape, units, self.young, self.density, self.method, self.params)
        if kind in ("point-mass", "rigid"):
            shape.wave = (self.young / self.density) ** 0.5
        if kind == "point-mass":
            params["mass"] *= self.density
        elif kind == "rigid":
            key, = params
            params[key] = units(params[key] * self.density, -3 if key == "density" else 0, 1)
        if not turned:
            return shape
        if self.world == "line" or kind == "bar" and not isinstance(shape.element, dict):
            shape.rows = None
        elif self.flat:
            shape.turn((0, 0, 1), chance.uniform(-180, 180))
        elif chance.random() < 0.8:
            shape.turn(random_unit(chance), chance.uniform(0, 180))
        elif chance.random() < 0.5:
            shape.turn((0, 0, 1), chance.choice([90, 180]))
        return shape

    def place(self):
        """In a row, each behind the last, with gaps that are crossed before the scene ends."""
        chance, d = self.chance, self.direction
        before = None
        for shape in self.shapes:
            if shape.beside:
                shape.at = shape.beside.at
                continue
            if before:
                way = before.reach(d) + self.gap + shape.reach(times(-1, d))
                shape.move(times(way, d))
            if self.world != "line" and chance.random() < 0.7:
                side = random_unit(chance, self.flat)
                side = minus(side, times(dot(side, d), d))
                shape.move(times(0.3 * shape.size * chance.random(), side))
            before = shape

    def planes(self):
        """Planes across the row, behind its first or last body, some of them tilted."""
        chance, found = self.chance, []
        if self.world in ("beam", "alone") or len(self.shapes) == 1:
            count = chance.choice([1, 1, 2])
        elif any(s.obstacle is not None for s in self.shapes):
            count = chance.choice([0, 0, 0, 1])
        else:
            count = chance.choice([0, 0, 1, 1, 2])
        for i in range(count):
            normal = times((-1) ** i, self.direction)
            if self.world != "line" and chance.random() < 0.5:
                normal = unit(plus(normal, times(0.4, random_unit(chance, self.flat))))
            far = min(-s.reach(times(-1, normal)) for s in self.shapes) - self.gap
            found.append({"name": f"plane_{i}", "point": self.units(list(times(far, normal)), 1), "normal": list(normal)})
        return found

    def entries(self, planes, end):
        chance, units = self.chance, self.units
        entries = []
        for i, shape in enumerate(self.shapes):
            if shape.obstacle is not None:
                shape.obstacle = self.obstacle_motion(shape, end)
            entry = body_entry(shape, units)
            entries.append(entry)
            if shape.obstacle is not None:
                continue
            self.start(entry, shape, i, planes)
            if self.may("damping") and not self.is_rigid(shape) and chance.random() < 0.15:
                entry["damping"] = {"mass": units(10 ** chance.uniform(-2, 0) * shape.wave, time=-1)}
                if self.may("stiffness damping") and shape.material and chance.random() < 0.5:
                    entry["damping"]["stiffness"] = units(10 ** chance.uniform(-3, -1) * shape.cell / shape.wave, time=1)
            kind, params = kind_of(shape.element)
            divided = shape.material and kind not in ("nodal", "exact-beam") and params.get("volume", "cell") == "cell"
            if divided and self.world != "tied" and chance.random() < 0.15 and self.several(shape):
                entry["materials"] = parts(chance, shape, units)
        return entries

    def several(self, shape):
        """Whether a mesh has cells on both sides of its middle, however it is turned."""
        mesh = next(iter(shape.mesh.values()))
        counts = mesh.get("elements", [2, 2])
        return "path" not in mesh and min(counts if isinstance(counts, list) else [counts]) > 1

    def start(self, entry, shape, i, planes):
        """Velocity and spin: towards the next one, or all towards the first plane, the last ones fastest."""
        chance, units, d = self.chance, self.units, self.direction
        along = -(1 + 0.7 * i) if planes else (len(self.shapes) - 1) / 2 - i
        v = times(along * self.speed, d)
        if self.world != "line" and chance.random() < 0.7:
            v = plus(v, times(0.4 * self.speed * chance.random(), random_unit(chance, self.flat)))
        if shape.beside:
            v = shape.beside.start
        shape.start = v
        if shape.name in {name for joint in self.joints for name in (joint["body"], joint.get("to"))}:
            # what joints forbid is refused: bodies on them begin at rest
            return
        entry["velocity"] = units(list(v), 1, 0, -1)
        share = 0.7 if self.is_rigid(shape) else 0.3
        if self.world not in ("line", "tied") and chance.random() < share and "point" not in shape.mesh:
            w = self.speed / shape.size * chance.uniform(-1, 1) * (3 if self.is_rigid(shape) else 1)
            entry["spin"] = units([0.0, 0.0, w] if self.flat else list(times(w, random_unit(chance))), time=-1)

    def time(self):
        """Until the gaps are closed and waves have gone to and fro; not longer than the judge has patience."""
        chance, units = self.chance, self.units
        size = max(s.size for s in self.shapes)
        end = 2.5 * self.gap / self.speed + chance.uniform(1, 6) * size / self.wave
        time = {} if self.safety == 0.5 else {"safety": self.safety}
        step = self.step
        if chance.random() < 0.15 and self.world != "beam":
            step *= 0.3
            time = {"step": units(step, time=1)}
            if chance.random() < 0.5 and self.method in ("newmark-dcr", "asynchronous"):
                time["follow"] = "true"
        elif chance.random() < 0.15:
            time["follow"] = "false"
        if not any(self.is_elastic(s) for s in self.shapes):
            # nothing bounds the step but turns
            step = min(0.1, 0.05 / self.mach) * size / self.wave
            time = {"step": units(step, time=1)}
            end *= 3
        if self.long:
            time = {"step": units(step, time=1)}
            return LONG_STEPS * step, time
        return min(end, MOST_STEPS[self.method] * step), time

    def is_small(self):
        cells = {"line": 4, "point": 1}
        return self.method in ("newmark-dcr", "multisymplectic") and len(self.shapes) <= 2 and not self.needs_exact and all(
            next(iter(s.mesh)) in cells and next(iter(s.mesh.values())).get("elements", 1) <= 4 for s in self.shapes)

    def scene(self, seed):
        chance = self.chance
        self.long = self.is_small() and chance.random() < 0.1
        self.place()
        planes = self.planes()
        if self.world == "rigid":
            self.link()
        self.pin()
        end, time = self.time()
        scene = {"title": f"stress {seed}, impact at {self.mach:.2g} of the wave speed: {self.world}", "integrator": self.integrator,
                 "time": {"end": self.units(end, time=1), **time}, "bodies": self.entries(planes, end)}
        if chance.random() < (0.8 if self.joints else 0.4):
            down = planes[0]["normal"] if planes else random_unit(chance, self.flat)
            scene["gravity"] = self.units(list(times(-self.speed**2 * chance.uniform(0.1, 2), down)), 1, 0, -2)
        for name, items in (("restraints", self.restraints(end)), ("loads", self.loads(end)), ("tied", self.ties),
                            ("connections", self.connections), ("joints", self.joints), ("springs", self.springs)):
            if items:
                scene[name] = items
        scene["contact"] = self.contact(planes)
        return scene


def random_scene(seed):
    return Maker(seed).scene(seed)
