# SPDX-License-Identifier: MIT
"""The generator: a random scene from a seed.

Bodies stand in a row along a random direction and fly at each other or at planes across it, so that most of them touch. A scene
is one of five worlds: bodies in space, plane bodies, bars and points on one line, beams, solids by multisymplectic. Lengths are
about 1 and wave speeds about 1 before units are chosen; `mach` is the speed of impacts over that of waves.
"""
import random

from .shapes import (Units, bar_shape, beam_shape, body_entry, give_material, plane_shape, point_shape, random_unit, shell_shape,
                     solid_shape)
from .vectors import dot, minus, plus, times, unit

# World: weight and the methods it may take.
WORLDS = {"space": (52, ("newmark-dcr", "newmark-dcr", "asynchronous", "nonsmooth-newmark", "energy-momentum")),
          "plane": (22, ("newmark-dcr", "asynchronous", "nonsmooth-newmark", "energy-momentum")),
          "line": (12, ("newmark-dcr", "asynchronous", "nonsmooth-newmark", "energy-momentum", "multisymplectic", "multisymplectic")),
          "beam": (7, ("multisymplectic",)), "alone": (7, ("multisymplectic",))}
# Steps after which a scene ends: it is to be judged within a second.
MOST_STEPS = {"newmark-dcr": 400, "asynchronous": 250, "nonsmooth-newmark": 200, "energy-momentum": 60, "multisymplectic": 1500}


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
        maybe(0.2, "pairing", "closest")
        maybe(0.2, "measure", "gap")
        maybe(0.15, "contact", "penalty")
    return {method: params} if params else method


class Maker:
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
        self.shapes = self.make_shapes()
        self.fit_method()
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
        elements = [next(iter(s.element)) if isinstance(s.element, dict) else s.element for s in self.shapes]
        open_skin = any(name in s.mesh for s in self.shapes for name in ("rectangle", "hexagonal-disc") if "loop-shell" in s.element)
        if self.method == "asynchronous" and open_skin and self.chance.random() < 0.9:
            params.pop("contact", None)
        small = all(e == "bar" and s.element["bar"]["strain"] == "small" and s.mesh["line"]["elements"] > 1
                    for e, s in zip(elements, self.shapes))
        if not small:
            params.pop("contact-integrator", None)
        if self.world == "beam" and params.get("contact_rule") == "kinked":
            params.pop("contact_rule")
        if not params:
            self.integrator = self.method

    def make_shapes(self):
        chance, units = self.chance, self.units
        count = {"space": chance.choice([1, 2, 2, 2, 3, 4]), "plane": chance.choice([1, 2, 2, 3, 4]), "line": chance.choice([1, 2, 2, 3]),
                 "beam": 1, "alone": chance.choice([1, 1, 2])}[self.world]
        implicit = self.method == "energy-momentum" or self.params.get("beta", 0) and self.method == "nonsmooth-newmark"
        fine = 2 if implicit or count > 2 else 3
        kinds = {"space": [solid_shape] * 5 + [shell_shape] * (0 if self.method == "energy-momentum" else 3) + [point_shape, bar_shape],
                 "plane": [plane_shape] * 5 + [point_shape, bar_shape], "line": [bar_shape, bar_shape, point_shape], "beam": [beam_shape],
                 "alone": [solid_shape, plane_shape]}[self.world]
        if self.world == "alone":
            kinds = [chance.choice(kinds)]
            self.flat = kinds[0] is plane_shape
            self.direction = random_unit(chance, self.flat)
        shapes = []
        for i in range(count):
            kind = chance.choice(kinds)
            # something must be elastic
            if kind is point_shape and i == count - 1 and all("point" in s.mesh for s in shapes):
                kind = kinds[0]
            if kind is bar_shape:
                line = self.world == "line"
                along = self.direction if line else (1.0, 0.0, 0.0)
                shape = bar_shape(chance, f"body_{i}", units, fine, along, line)
            else:
                shape = kind(chance, f"body_{i}", units, fine)
            if self.method == "energy-momentum" and "nodal" in str(shape.element):
                shape.element = next(iter(shape.mesh.values()))["cells"]
            give_material(chance, shape, units, self.young, self.density)
            if shape.element and "point-mass" in shape.element:
                shape.wave = (self.young / self.density) ** 0.5
                shape.element["point-mass"]["mass"] *= self.density
            if self.world == "line" or "bar" in shape.element and not isinstance(shape.element, dict):
                shape.rows = None
            elif self.flat:
                shape.turn((0, 0, 1), chance.uniform(-180, 180))
            elif chance.random() < 0.8:
                shape.turn(random_unit(chance), chance.uniform(0, 180))
            elif chance.random() < 0.5:
                shape.turn((0, 0, 1), chance.choice([90, 180]))
            shapes.append(shape)
        return shapes

    def place(self):
        """In a row, each behind the last, with gaps that are crossed before the scene ends."""
        chance, d = self.chance, self.direction
        for before, shape in zip([None, *self.shapes], self.shapes):
            if before:
                way = before.reach(d) + self.gap + shape.reach(times(-1, d))
                shape.move(times(way, d))
            if self.world != "line" and chance.random() < 0.7:
                side = random_unit(chance, self.flat)
                side = minus(side, times(dot(side, d), d))
                shape.move(times(0.3 * shape.size * chance.random(), side))

    def planes(self):
        """Planes across the row, behind its first or last body, some of them tilted."""
        chance, found = self.chance, []
        if self.world in ("beam", "alone") or len(self.shapes) == 1:
            count = chance.choice([1, 1, 2])
        else:
            count = chance.choice([0, 0, 1, 1, 2])
        for i in range(count):
            normal = times((-1) ** i, self.direction)
            if self.world != "line" and chance.random() < 0.5:
                normal = unit(plus(normal, times(0.4, random_unit(chance, self.flat))))
            far = min(-s.reach(times(-1, normal)) for s in self.shapes) - self.gap
            found.append({"name": f"plane_{i}", "point": self.units(list(times(far, normal)), 1), "normal": list(normal)})
        return found

    def entries(self, planes):
        chance, units, d = self.chance, self.units, self.direction
        entries = []
        for i, shape in enumerate(self.shapes):
            entry = body_entry(shape, units)
            # towards the next one, or all towards the first plane, the last ones fastest
            along = -(1 + 0.7 * i) if planes else (len(self.shapes) - 1) / 2 - i
            v = times(along * self.speed, d)
            if self.world != "line" and chance.random() < 0.7:
                v = plus(v, times(0.4 * self.speed * chance.random(), random_unit(chance, self.flat)))
            entry["velocity"] = units(list(v), 1, 0, -1)
            if self.world != "line" and chance.random() < 0.3 and "point" not in shape.mesh:
                w = self.speed / shape.size * chance.uniform(-1, 1)
                entry["spin"] = units([0.0, 0.0, w] if self.flat else list(times(w, random_unit(chance))), time=-1)
            damped = self.method in ("newmark-dcr", "energy-momentum") or self.method == "nonsmooth-newmark" and not self.params.get("beta")
            if damped and chance.random() < 0.15:
                entry["damping"] = {"mass": units(10 ** chance.uniform(-2, 0) * shape.wave, time=-1)}
                if self.method == "newmark-dcr" and shape.material and chance.random() < 0.5:
                    entry["damping"]["stiffness"] = units(10 ** chance.uniform(-3, -1) * shape.cell / shape.wave, time=1)
            entries.append(entry)
        return entries

    def contact(self, planes):
        chance = self.chance
        contact = {"planes": planes} if planes else {}
        if self.method in ("newmark-dcr", "asynchronous"):
            contact["restitution"] = chance.choice([0, 0, 0.3, 0.9, 1, chance.random()])
        elif self.method == "nonsmooth-newmark":
            contact["restitution"] = chance.choice([0, 1])
        else:
            contact["restitution"] = 1
        if self.method != "multisymplectic":
            contact["friction"] = chance.choice([0, 0, 0.1, 0.5, 1.5])
        if self.method == "newmark-dcr" and chance.random() < 0.2:
            contact["resolve"] = "projection"
            contact["return_work"] = chance.choice([True, False])
        if chance.random() < 0.15:
            contact["layer"] = 10 ** chance.uniform(-5, -2)
        if chance.random() < 0.1 and self.method != "multisymplectic":
            contact["thickness"] = self.units(0.3 * self.gap, 1)
        if self.world == "alone":
            contact["self"] = False
            if len(self.shapes) > 1:
                contact["pairs"] = [{"bodies": ["body_0", "body_1"], "touch": False}]
        elif chance.random() < 0.15:
            contact["self"] = False
        elif planes and chance.random() < 0.15 and self.method in ("newmark-dcr", "asynchronous"):
            contact["pairs"] = [{"bodies": ["body_0", planes[0]["name"]], "restitution": chance.choice([0, 0.5, 1]),
                                 "friction": chance.choice([0, 0.7])}]
        return contact

    def factor(self, end):
        """How a load or a motion changes in time."""
        chance = self.chance
        if self.method == "multisymplectic" or chance.random() < 0.4:
            return {}
        if chance.random() < 0.5:
            return {"ramp": chance.uniform(0.1, 0.5) * end}
        return {"history": [[0, 1], [0.3 * end, chance.uniform(-1, 1)], [0.7 * end, 1]]}

    def restraints(self, end):
        chance, found = self.chance, []
        for shape in self.shapes:
            if chance.random() > 0.15 or "point" in shape.mesh:
                continue
            item = {"body": shape.name}
            # without a set the body is an obstacle
            if chance.random() < 0.8 or self.world == "beam":
                item["set"] = chance.choice(shape.sets)
            kind = "fix" if self.flat or self.world == "beam" or "set" not in item else chance.choice(["fix", "plane", "line", "directions"])
            if kind == "fix":
                item["fix"] = chance.choice(["xyz", "xyz", "x", "xy"]) if "set" in item and self.world != "beam" else "xyz"
            else:
                item[kind] = list(random_unit(chance)) if kind != "directions" else [list(random_unit(chance))]
            if self.world != "beam" and chance.random() < 0.4:
                v = times(0.5 * self.speed * chance.random(), random_unit(chance, self.flat))
                item.update(velocity=self.units(list(v), 1, 0, -1), **self.factor(end))
            found.append(item)
        return found

    def loads(self, end):
        chance, units, found = self.chance, self.units, []
        for shape in self.shapes:
            if chance.random() > 0.15:
                continue
            size = shape.size
            v = self.speed**2 / size * chance.uniform(0.1, 1)
            direction = random_unit(chance, self.flat)
            item = {"body": shape.name}
            kinds = ["acceleration"]
            if shape.material:
                kinds += ["force"] + (["traction", "pressure"] if "line" not in shape.mesh and "curve" not in shape.mesh else [])
            kind = chance.choice(kinds)
            stress = 0.3 * self.density * self.speed**2 * chance.random() + 1e-6 * self.young
            if kind == "acceleration":
                item[kind] = units(list(times(v, direction)), 1, 0, -2)
            elif kind == "force":
                item[kind] = units(list(times(stress * 0.1 * (0.01 if "line" in shape.mesh else 1), direction)), 1, 1, -2)
            elif kind == "traction":
                item[kind] = units(list(times(stress, direction)), -1, 1, -2)
            else:
                item[kind] = units(chance.choice([-1, 1]) * stress, -1, 1, -2)
                if self.method == "multisymplectic" or chance.random() < 0.3:
                    item["following"] = False
            item.update(self.factor(end))
            found.append(item)
        return found

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
        return min(end, MOST_STEPS[self.method] * step), time

    def scene(self, seed):
        chance = self.chance
        self.place()
        planes = self.planes()
        end, time = self.time()
        scene = {"title": f"stress {seed}: {self.world}", "integrator": self.integrator,
                 "time": {"end": self.units(end, time=1), **time}, "bodies": self.entries(planes)}
        if chance.random() < 0.4:
            down = planes[0]["normal"] if planes else random_unit(chance, self.flat)
            scene["gravity"] = self.units(list(times(-self.speed**2 * chance.uniform(0.1, 2), down)), 1, 0, -2)
        for name, items in (("restraints", self.restraints(end)), ("loads", self.loads(end))):
            if items:
                scene[name] = items
        scene["contact"] = self.contact(planes)
        return scene


def random_scene(seed):
    return Maker(seed).scene(seed)
