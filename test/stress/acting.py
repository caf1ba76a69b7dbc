# SPDX-License-Identifier: MIT
"""The part of the generator that chooses contact, restraints and loads."""
from .shapes import random_unit
from .vectors import times


class Acting:
    """Mixed into the maker of a scene."""

    def contact(self, planes):
        chance = self.chance
        contact = {"planes": planes} if planes else {}
        if self.may("restitution below 1"):
            contact["restitution"] = chance.choice([0, 0, 0.3, 0.9, 1, chance.random()])
        elif self.method == "nonsmooth-newmark":
            contact["restitution"] = chance.choice([0, 1])
        else:
            contact["restitution"] = 1
        if self.may("friction"):
            contact["friction"] = self.friction()
        if self.method == "newmark-dcr" and not self.needs_exact and chance.random() < 0.2:
            contact["resolve"] = "projection"
            contact["return_work"] = chance.choice([True, False])
            contact["return_spin"] = chance.choice([True, False])
            contact["moves"] = chance.choice(["pair", "node"])
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
        elif planes and chance.random() < 0.15 and self.may("restitution below 1"):
            contact["pairs"] = [{"bodies": ["body_0", planes[0]["name"]], "restitution": chance.choice([0, 0.5, 1]),
                                 "friction": self.friction()}]
        passing = [{"bodies": sorted(pair), "touch": False} for pair in self.joined]
        if passing:
            contact["pairs"] = contact.get("pairs", []) + passing
        return contact

    def friction(self):
        """A coefficient, or one that falls with the speed of slip."""
        chance = self.chance
        value = chance.choice([0, 0, 0.1, 0.5, 1.5])
        if value and chance.random() < 0.25:
            return {"static": value, "kinetic": value * chance.choice([0, 0.3, 0.9]),
                    "decay": self.units(10 ** chance.uniform(-1, 1) / self.speed, -1, 0, 1)}
        return value

    def factor(self, end):
        """How a load or a motion changes in time."""
        chance = self.chance
        if not self.may("loads and motions that change in time") or chance.random() < 0.4:
            return {}
        if chance.random() < 0.5:
            return {"ramp": self.units(chance.uniform(0.1, 0.5) * end, time=1)}
        return {"history": [[0, 1], [self.units(0.3 * end, time=1), chance.uniform(-1, 1)], [self.units(0.7 * end, time=1), 1]]}

    def restraints(self, end):
        chance, found = self.chance, []
        for shape in self.shapes:
            if chance.random() > 0.15 or "point" in shape.mesh or not self.is_elastic(shape) or self.world == "tied":
                continue
            item = {"body": shape.name}
            # without a set the body is an obstacle
            if shape.sets and (chance.random() < 0.8 or self.world == "beam"):
                item["set"] = chance.choice(shape.sets)
            kind = "fix" if self.flat or self.world == "beam" or "set" not in item else chance.choice(["fix", "plane", "line", "directions"])
            if kind == "fix":
                item["fix"] = chance.choice(["xyz", "xyz", "x", "xy"]) if "set" in item and self.world != "beam" else "xyz"
            else:
                item[kind] = list(random_unit(chance)) if kind != "directions" else [list(random_unit(chance))]
            if self.world != "beam" and chance.random() < 0.4:
                v = times(0.5 * self.speed * chance.random(), random_unit(chance, self.flat))
                item.update(velocity=self.units(list(v), 1, 0, -1), **self.factor(end))
            if self.may("restraints with `from`, `until`") and chance.random() < 0.4:
                item[chance.choice(["from", "until"])] = self.units(chance.uniform(0.1, 0.9) * end, time=1)
            found.append(item)
        return found

    def loads(self, end):
        chance, units, found = self.chance, self.units, []
        for shape in self.shapes:
            if chance.random() > 0.15 or shape.obstacle is not None:
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
