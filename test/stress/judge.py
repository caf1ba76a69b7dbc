# SPDX-License-Identifier: MIT
"""The judge of a run that has ended well: it shares no code with carom.

From the frames it computes masses, momentum, kinetic and stored energy and the potential of loads by formulas of its own, and
decides in exact arithmetic whether surfaces intersect. From history.csv it takes what only the run can know: losses of contact
and damping, work of driven nodes, energies of elements that it has no formula for. Every column that it can compute itself must
agree with its own value. A fault is a pair (kind, text).
"""
import math

from . import skins
from .energies import bodies_of, one_key
from .frames import read_frames, read_table
from .vectors import cross, dot, minus, norm, plus, times, unit

UNEXPLAINED = 0.02  # of the energy scale, at the end
UNDER_WAY = 0.1  # of it, in two frames in succession: within an impact a residual may show its loss for a moment
AGREE = 1e-7  # of the energy scale: columns of the ledger and energies of the judge
MOMENTUM = {"energy-momentum": 1e-7, "nonsmooth-newmark": 1e-9}  # of its scale; 1e-11 otherwise
ANGULAR = 1e-7
BEHIND = 1e-8  # of the size of the scene: rounding of planes, and of surfaces held to rounding


class Rules:
    """What the scene promises: who may touch, how strictly, what acts from outside."""

    def __init__(self, scene, bodies):
        self.scene = scene
        self.method, self.params = one_key(scene["integrator"])
        contact = scene.get("contact", {})
        self.contact = contact if contact is not False else {}
        self.off = contact is False
        self.planes = self.contact.get("planes", [])
        self.bodies = bodies
        held = [r["body"] for r in scene.get("restraints", []) if "set" not in r and r.get("fix") == "xyz"]
        self.obstacles = {b.number for b in bodies if b.name in held}
        self.projects = self.contact.get("resolve") == "projection"
        looks = self.method == "asynchronous" and self.params.get("contact", "exact") != "exact"
        penalty = self.method == "energy-momentum" or self.params.get("contact") == "penalty"
        # virtual tips of bars give way: their nodes go behind planes by what the tips are compressed
        # nothing ever intersects; it does by rounding only; surfaces overlap and must not pass; they may pass
        if self.projects or self.params.get("pairing") == "closest":
            self.strictness = "may pass"
        elif looks or penalty or self.params.get("contact-integrator") == 2:
            self.strictness = "overlaps"
        else:
            self.strictness = "rounding" if self.method == "nonsmooth-newmark" else "exact"
        # by slabs a row has the mean of a slab, and frames may show virtual tips of bars
        beams = any(b.element == "exact-beam" for b in bodies)
        self.slabs = self.method == "multisymplectic" and (beams or self.params.get("contact_rule") == "printed" or
                                                           self.params.get("contact-integrator") == 2)
        # bars touch with their lines, or with their nodes only
        self.lines = self.method in ("newmark-dcr", "asynchronous") and self.strictness == "exact"

    def touch(self, a, b):
        if self.off or {a.number, b.number} <= self.obstacles:
            return False
        answer = a is not b or self.contact.get("self", True)
        for pair in self.contact.get("pairs", []):
            if sorted(pair["bodies"]) == sorted((a.name, b.name)):
                answer = pair.get("touch", True)
        return answer

    def plane_touches(self, plane, body):
        return all(pair.get("touch", True) for pair in self.contact.get("pairs", []) if sorted(pair["bodies"]) ==
                   sorted((plane["name"], body.name)))

    def rubs(self):
        return self.contact.get("friction", 0) > 0 or any(p.get("friction", 0) for p in self.contact.get("pairs", []))


class Judge:
    def __init__(self, scene, frames, rows):
        self.frames, self.rows = frames, {row["time"]: row for row in rows}
        self.all_rows = rows
        self.first = frames[0]
        self.bodies = bodies_of(scene, self.first)
        self.rules = Rules(scene, self.bodies)
        self.skins = [skins.Skin(body) for body in self.bodies]
        self.faults, self.figures = [], {}
        self.reference = self.first.x
        self.find_masses()
        self.lengths()

    def fault(self, kind, text):
        if all(kind != other for other, _ in self.faults):
            self.faults.append((kind, text))

    def find_masses(self):
        told = self.first.nodes["mass"]
        self.mass = list(told)
        for body in self.bodies:
            if body.has_mass:
                own = body.masses(self.reference)
                total = math.fsum(own.values())
                for k, m in own.items():
                    if abs(m - told[k]) > 1e-9 * total:
                        self.fault("mass", f"node {k} of {body.name} has the mass {told[k]:g}, by its cells {m:g}")
                    self.mass[k] = m

    def lengths(self):
        """Size of the scene, and the shortest edge of the skin of each body."""
        x = self.reference
        low = [min(p[i] for p in x) for i in range(3)]
        high = [max(p[i] for p in x) for i in range(3)]
        self.size = norm(minus(high, low)) or max(map(abs, high)) or 1.0
        self.edge = {}
        for body, skin in zip(self.bodies, self.skins):
            edges = skin.edges or skin.segments
            self.edge[body.number] = min((norm(minus(x[a], x[b])) for a, b in edges), default=self.size)

    def judge(self):
        if not all(math.isfinite(c) for frame in self.frames for p in (*frame.x, *frame.v) for c in p):
            self.fault("not finite", "a frame has numbers that are not finite")
            return self
        self.judge_energy()
        self.judge_momentum()
        self.judge_angular_momentum()
        starts = self.insides(self.first)
        for before, frame in zip([None, *self.frames], self.frames):
            self.judge_planes(frame)
            self.judge_skins(frame)
            self.judge_passing(before, frame, starts)
        return self

    def gravity(self, body):
        """Acceleration of dead loads on a body, and force on each of its nodes; None where loads change or follow faces."""
        g, force = tuple(self.rules.scene.get("gravity", (0, 0, 0))), (0.0, 0.0, 0.0)
        for load in self.rules.scene.get("loads", []):
            if load["body"] != body.name:
                continue
            if "ramp" in load or "history" in load or "set" in load or not ("force" in load or "acceleration" in load):
                return None
            if "force" in load:
                force = plus(force, times(1 / len(body.nodes), load["force"]))
            else:
                g = plus(g, load["acceleration"])
        return g, force

    def driven(self):
        return any("velocity" in r or "velocities" in r for r in self.rules.scene.get("restraints", []))

    def potential(self, frame):
        """Of dead loads; None if there are others, or prescribed motion, whose work only the run knows."""
        acting = [self.gravity(body) for body in self.bodies]
        if self.driven() or None in acting:
            return None
        terms = []
        for body, (g, force) in zip(self.bodies, acting):
            for k in body.nodes:
                u = minus(frame.x[k], self.reference[k])
                terms.append(-self.mass[k] * dot(g, u) - dot(force, u))
        return math.fsum(terms)

    def energies(self, frame, row):
        """Kinetic, stored and external energy; what the judge cannot compute is that of the row."""
        if self.rules.slabs:
            self.judge_sums(frame, row)
            return {name: row[name] for name in ("kinetic", "internal", "external")}
        parts = {"kinetic": 0.0, "internal": 0.0}
        for body in self.bodies:
            kinetic = math.fsum(0.5 * self.mass[k] * dot(frame.v[k], frame.v[k]) for k in body.nodes)
            told = row[f"{body.name}.kinetic"]
            internal = body.energy(self.reference, frame.x) if body.has_energy else row[f"{body.name}.internal"]
            self.compare(frame, f"{body.name}.kinetic", kinetic, told)
            self.compare(frame, f"{body.name}.internal", internal, row[f"{body.name}.internal"], self.rounding(body))
            parts["kinetic"] += kinetic
            parts["internal"] += internal
        own = self.potential(frame)
        parts["external"] = row["external"] if own is None else own
        self.compare(frame, "external", parts["external"], row["external"])
        return parts

    def judge_sums(self, frame, row):
        """Angular momenta of beams, sections included, add up to the whole."""
        if any(body.element != "exact-beam" for body in self.bodies):
            return
        names = ("lx", "ly", "lz")
        scale = max(abs(r[name]) for r in self.all_rows for name in names)
        for name in names:
            own = math.fsum(row[f"{body.name}.{name}"] for body in self.bodies)
            if abs(own - row[name]) > 1e-3 * scale:  # rows have the mean of a slab
                self.fault("ledger", f"{name} is {row[name]:.9g} in history.csv at time {frame.time:g}, the sum of its bodies {own:.9g}")

    def rounding(self, body):
        """Energy of a strain by rounding, linear where terms of a law cancel: all there is in a stiff body at rest."""
        mass = math.fsum(self.mass[k] for k in body.nodes)
        return 1e-12 * body.material["young"] * mass / body.material["density"] if body.material else 0.0

    def compare(self, frame, name, own, told, rounding=0.0):
        if not abs(own - told) <= AGREE * self.scale + rounding:
            self.fault("ledger", f"{name} is {told:.9g} in history.csv at time {frame.time:g}, by the frame {own:.9g}")

    def judge_energy(self):
        def losses(row):
            return sum(row.get(name, 0.0) for name in ("friction", "restitution", "projection", "damping"))

        self.scale = max(max(row["kinetic"] + row["internal"], abs(row["external"]), losses(row)) for row in self.all_rows)
        if not self.scale > 0:
            self.scale = 1e-300
        start = None
        largest = last = steady = before = 0.0
        for frame in self.frames:
            row = self.rows.get(frame.time)
            if row is None:
                self.fault("ledger", f"the frame at time {frame.time!r} has no row in history.csv")
                continue
            energy = math.fsum(self.energies(frame, row).values())
            start = energy if start is None else start
            last = (energy + losses(row) - row.get("oscillation", 0.0) - start) / self.scale
            largest, steady, before = max(largest, abs(last)), max(steady, min(before, abs(last))), abs(last)
        self.figures["residual"], self.figures["largest"] = last, largest
        if not abs(last) <= UNEXPLAINED:
            self.fault("residual", f"{100 * last:.3g} % of the energy is unexplained at the end")
        elif not steady <= UNDER_WAY:
            self.fault("way", f"{100 * steady:.3g} % of the energy is unexplained on the way")

    def momentum(self, frame):
        return tuple(math.fsum(m * v[i] for m, v in zip(self.mass, frame.v)) for i in range(3))

    def judge_momentum(self):
        """Its components across everything that pushes from outside."""
        rules, blocked = self.rules, []
        if rules.scene.get("restraints") or (rules.planes and rules.rubs()):
            return
        if any("damping" in b.entry and b.entry["damping"].get("mass") for b in self.bodies):
            return
        acting = [self.gravity(body) for body in self.bodies]
        if None in acting:
            return
        push = (0.0, 0.0, 0.0)
        for body, (g, force) in zip(self.bodies, acting):
            push = plus(push, plus(times(math.fsum(self.mass[k] for k in body.nodes), g), times(len(body.nodes), force)))
        for plane in rules.planes:
            n = tuple(plane["normal"])
            for b in blocked:
                n = minus(n, times(dot(n, b), b))
            if norm(n) > 1e-6 * norm(plane["normal"]):
                blocked.append(unit(n))
        start = self.momentum(self.first)
        scale = max(math.fsum(m * norm(v) for m, v in zip(self.mass, f.v)) + f.time * norm(push) for f in self.frames)
        worst = 0.0
        for frame in self.frames:
            change = minus(minus(self.momentum(frame), start), times(frame.time, push))
            for b in blocked:
                change = minus(change, times(dot(change, b), b))
            worst = max(worst, norm(change))
        if scale > 0:
            self.figures["momentum"] = worst / scale
            if not worst <= MOMENTUM.get(rules.method, 1e-11) * scale:
                self.fault("momentum", f"momentum changes by {worst / scale:.2g} of its scale")

    def judge_angular_momentum(self):
        """Of scenes in which nothing acts from outside, with elements that do not see rotations."""
        rules = self.rules
        scene, params = rules.scene, rules.params
        outside = any(scene.get(name) for name in ("restraints", "loads")) or rules.planes or any(scene.get("gravity", []))
        objective = all(b.law != "linear" and (b.solid or b.plane or b.element == "loop-shell") for b in self.bodies)
        damped = any("damping" in b.entry for b in self.bodies)
        plain = {"newmark-dcr": not rules.projects, "asynchronous": rules.strictness == "exact",
                 "energy-momentum": params.get("scheme", "conserving") == "conserving",
                 "nonsmooth-newmark": not set(params) & {"beta", "gamma", "gradients", "contact"}}.get(rules.method, False)
        if outside or damped or not objective or not plain or rules.rubs() or rules.contact.get("thickness"):
            return
        centre = times(1 / math.fsum(self.mass), [math.fsum(m * p[i] for m, p in zip(self.mass, self.reference)) for i in range(3)])

        def total(frame):
            terms = [times(m, cross(minus(p, centre), v)) for m, p, v in zip(self.mass, frame.x, frame.v)]
            return tuple(math.fsum(t[i] for t in terms) for i in range(3))

        start = total(self.first)
        scale = max(math.fsum(m * norm(minus(p, centre)) * norm(v) for m, p, v in zip(self.mass, f.x, f.v)) for f in self.frames)
        worst = max(norm(minus(total(frame), start)) for frame in self.frames)
        if scale > 0 and not worst <= ANGULAR * scale:
            self.fault("angular momentum", f"angular momentum changes by {worst / scale:.2g} of its scale")

    def judge_planes(self, frame):
        for plane in self.rules.planes:
            n = unit(plane["normal"])
            point = plane.get("point", (0, 0, 0))
            for body, skin in zip(self.bodies, self.skins):
                if body.number in self.rules.obstacles or not self.rules.plane_touches(plane, body):
                    continue
                surface = set(skin.nodes)
                for k in body.nodes:
                    allowed = BEHIND * self.size
                    if self.rules.strictness in ("overlaps", "may pass"):
                        allowed += 0.5 * self.edge[body.number]
                    elif k not in surface:
                        allowed += 0.5 * min(self.edge.values())
                    depth = -dot(minus(frame.x[k], point), n)
                    if depth > allowed:
                        self.fault("plane", f"node {k} of {body.name} is {depth:.3g} behind {plane['name']} at time {frame.time:g}")

    def pairs(self):
        for i, a in enumerate(self.skins):
            for b in self.skins[i:]:
                if self.rules.touch(a.body, b.body):
                    yield a, b

    def judge_skins(self, frame):
        if self.rules.strictness not in ("exact", "rounding"):
            return
        allowed = 0.0 if self.rules.strictness == "exact" else BEHIND * self.size
        for a, b in self.pairs():
            found = skins.crossings(a, b, frame.x, self.rules.lines)
            depth, edge, face = max(found, default=(0.0, None, None))
            if found and depth > allowed:
                self.fault("intersection", f"{a.body.name} and {b.body.name} intersect {len(found)} times at time {frame.time:g}, "
                           f"edge {edge} and face {face} by {depth:.3g}")

    def insides(self, frame):
        """Which nodes of other bodies are inside which closed skin: {(skin, node)}."""
        found = set()
        for skin in self.skins:
            if not skin.closed:
                continue
            points = [frame.x[k] for k in skin.nodes]
            low = [min(p[i] for p in points) for i in range(3)]
            high = [max(p[i] for p in points) for i in range(3)]
            for other in self.skins:
                if other is skin or not self.rules.touch(skin.body, other.body):
                    continue
                for k in other.nodes:
                    p = frame.x[k]
                    dims = range(2 if skin.body.plane else 3)
                    if all(low[i] <= p[i] <= high[i] for i in dims) and skins.inside(skin, p, frame.x):
                        found.add((skin.body.number, k))
        return found

    def judge_passing(self, before, frame, starts):
        """Contact at the points of one body does not see corners of the other between them: half of a long edge is overlap."""
        strictness = self.rules.strictness
        if strictness == "may pass":
            return
        for number, k in self.insides(frame) ^ starts:
            skin = self.skins[number]
            depth = skins.distance(skin, frame.x[k], frame.x)
            allowed = {"exact": 0.0, "rounding": BEHIND * self.size, "overlaps": 2 * self.edge[number]}[strictness]
            if depth > allowed:
                self.fault("passed", f"node {k} has passed the surface of {skin.body.name}, by {depth:.3g} at time {frame.time:g}")
        if before:
            self.judge_sheets(before, frame)

    def judge_sheets(self, before, frame):
        """Point masses that were close above an open sheet and are close below it in the next frame."""
        for skin in self.skins:
            if skin.closed or not skin.triangles:
                continue
            for other in self.skins:
                if other.body.element != "point-mass" or not self.rules.touch(skin.body, other.body):
                    continue
                k = other.nodes[0]
                angles = [skins.solid_angle(f.x[k], skin.triangles, f.x) for f in (before, frame)]
                if min(map(abs, angles)) > 3.5 and angles[0] * angles[1] < 0:
                    self.fault("passed", f"{other.body.name} has passed the sheet {skin.body.name} before time {frame.time:g}")


def judge_results(scene, folder):
    """The judge after it has looked at the results in a folder."""
    return Judge(scene, read_frames(folder), read_table(folder / "history.csv")).judge()
