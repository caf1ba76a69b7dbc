# SPDX-License-Identifier: MIT
"""The judge of a run that has ended well: it shares no code with carom.

From the frames it computes masses, momentum, kinetic and stored energy and the potential of loads by formulas of its own, and
decides in exact arithmetic whether surfaces intersect. From history.csv it takes what only the run can know: losses of contact,
damping and materials, work of driven nodes, energies of elements that it has no formula for. Every column that it can compute
itself must agree with its own value; of the others it holds what must be true of any: sums of columns, losses that are not
negative and do not return. A fault is a pair (kind, text).
"""
import math
import sys

from . import bonds, held, skins
from .energies import bodies_of
from .frames import read_frames, read_table
from .rigid import Rigid
from .rules import Rules
from .surfaces import BEHIND, Surfaces
from .vectors import cross, dot, minus, norm, plus, times, unit

UNEXPLAINED = 0.02  # of the energy scale, at the end
UNDER_WAY = 0.1  # of it, at two audits in succession: division of a step may add energy, which impacts return
AGREE = 1e-7  # of the energy scale: columns of the ledger and energies of the judge
MOMENTUM = {"energy-momentum": 1e-7, "nonsmooth-newmark": 1e-9}  # of its scale; 1e-11 otherwise
ANGULAR = 1e-7
LOSSES = ("friction", "restitution", "projection", "damping", "plasticity", "viscosity")
SUMS = 1e-12  # of the energy scale: sums of the columns of a row, which are numbers with 17 digits
HALVES = 1e-11  # of the largest angular momentum: those of a slab and of its end, without the impulse of loads between them
HELD = 1e-3  # the same where restraints turn bodies as well, by moments that no file has
RETURNED = 1e-9  # of it: what a loss may fall by rounding
LIFTED = 100  # layers of contact by which rigid bodies may be lifted against their loads, as in docs/theory/guards.md
UNDONE = 0.01  # of a loss by damping: impulses of contact come after the damping of their kick, and may turn its work


class Judge(Surfaces):
    def __init__(self, scene, frames, rows, summary=None):
        self.frames, self.rows = frames, {row["time"]: row for row in rows}
        self.all_rows = rows
        self.first = frames[0]
        self.bodies = bodies_of(scene, self.first)
        self.rules = Rules(scene, self.bodies)
        self.skins = [skins.Skin(body) for body in self.bodies]
        self.rigid = {b.name: Rigid(b, skin, self.first) for b, skin in zip(self.bodies, self.skins) if b.rigid}
        self.carriers = {b.number: b.nodes + ([self.rigid[b.name].centre] if b.rigid else []) for b in self.bodies}
        self.summary = summary or {}
        self.faults, self.figures = [], {}
        self.reference = self.first.x
        self.find_masses()
        self.lengths()
        self.bind()

    def fault(self, kind, text):
        if all(kind != other for other, _ in self.faults):
            self.faults.append((kind, text))

    def find_masses(self):
        told = self.first.nodes["mass"]
        self.mass = list(told)
        for body in self.bodies:
            # masses of nodes that are tied to a rigid body count there
            if body.has_mass and not self.glued(body):
                own = body.masses(self.reference)
                total = math.fsum(own.values())
                for k, m in own.items():
                    if abs(m - told[k]) > 1e-9 * total:
                        self.fault("mass", f"node {k} of {body.name} has the mass {told[k]:g}, by its cells {m:g}")
                    self.mass[k] = m
        for rigid in self.rigid.values():
            if not self.glued(rigid.body):
                if not abs(told[rigid.centre] - rigid.mass) <= 1e-9 * rigid.mass:
                    self.fault("mass", f"{rigid.name} has the mass {told[rigid.centre]:g}, by its surface {rigid.mass:g}")
                self.mass[rigid.centre] = rigid.mass

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
        self.judge_rows()
        self.judge_energy()
        self.judge_momentum()
        self.judge_angular_momentum()
        starts = self.insides(self.first)
        for before, frame in zip([None, *self.frames], self.frames):
            self.judge_bonds(frame)
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

    def pull(self):
        """The largest acceleration by loads."""
        return norm(self.rules.scene.get("gravity", (0, 0, 0))) + math.fsum(
            norm(load["acceleration"]) for load in self.rules.scene.get("loads", []) if "acceleration" in load)

    def noise(self):
        """What the potential of loads changes if all positions do by a unit in the last place of the farthest one."""
        pushes = math.fsum(norm(load["force"]) for load in self.rules.scene.get("loads", []) if "force" in load)
        farthest = max(norm(p) for frame in self.frames for p in frame.x)
        return sys.float_info.epsilon * farthest * (math.fsum(self.mass) * self.pull() + pushes)

    def layer(self):
        """The height of the layer of contact."""
        return self.rules.contact.get("layer", 1e-4) * min(self.edge.values())

    def lift(self):
        """Energy that lifts rigid bodies by LIFTED layers against dead loads."""
        weight = 0.0
        for rigid in self.rigid.values():
            acting = self.gravity(rigid.body)
            if acting and not self.rules.off:
                weight += rigid.mass * norm(acting[0]) + len(rigid.body.nodes) * norm(acting[1])
        return LIFTED * self.layer() * weight

    def potential(self, frame):
        """Of dead loads; None if there are others, or prescribed motion, whose work only the run knows."""
        acting = [self.gravity(body) for body in self.bodies]
        if bonds.is_driven(self.rules.scene) or None in acting:
            return None
        terms = []
        for body, (g, force) in zip(self.bodies, acting):
            for k in self.carriers[body.number]:
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
            kinetic = self.kinetic(body, frame, row)
            told = row[f"{body.name}.kinetic"]
            internal = body.energy(self.reference, frame.x) if body.has_energy else row[f"{body.name}.internal"]
            self.compare(frame, f"{body.name}.kinetic", kinetic, told)
            self.compare(frame, f"{body.name}.internal", internal, row[f"{body.name}.internal"], body.rounding(self.reference))
            parts["kinetic"] += kinetic
            parts["internal"] += internal
        parts["internal"] += self.springs(frame)
        self.compare(frame, "kinetic", parts["kinetic"], row["kinetic"])
        self.compare(frame, "internal", parts["internal"], row["internal"],
                     math.fsum(body.rounding(self.reference) for body in self.bodies))
        own = self.potential(frame)
        parts["external"] = row["external"] if own is None else own
        self.compare(frame, "external", parts["external"], row["external"], self.noise())
        return parts

    def kinetic(self, body, frame, row):
        if body.obstacle or self.glued(body):
            return row[f"{body.name}.kinetic"]
        if body.rigid:
            return self.rigid[body.name].kinetic(frame, row)
        return math.fsum(0.5 * self.mass[k] * dot(frame.v[k], frame.v[k]) for k in body.nodes)

    def glued(self, body):
        """Whether a body is tied to a rigid one, or the reverse: the judge does not know their inertia together."""
        pairs = [(tie["from"]["body"], tie["to"]["body"]) for tie in self.rules.scene.get("tied", [])]
        return any(body.name in pair and set(pair) & set(self.rigid) for pair in pairs)

    def judge_sums(self, frame, row):
        """Angular momenta of beams, sections included, add up to the whole.

        The whole is that of the slab that ends, bodies have that of its end: between them is the impulse of half a slab. Only
        loads turn the whole; the slab is one step long, or what an impact has left of it.
        """
        if any(body.element != "exact-beam" for body in self.bodies):
            return
        names = ("lx", "ly", "lz")
        scale = max(abs(r[name]) for r in self.all_rows for name in names)
        own = [math.fsum(row[f"{body.name}.{name}"] for body in self.bodies) for name in names]
        turn = times(self.summary.get("step_size", 0.0) / 2, self.torque(frame))
        off = minus(own, [row[name] for name in names])
        part = min(max(dot(off, turn) / (dot(turn, turn) or 1.0), 0.0), 1.0)
        allowed = HELD if self.rules.scene.get("restraints") else HALVES
        if not norm(minus(off, times(part, turn))) <= allowed * scale:
            told, found = (", ".join(f"{c:.15g}" for c in l) for l in ([row[name] for name in names], own))
            self.fault("ledger", f"(lx, ly, lz) is ({told}) in history.csv at time {frame.time:g}, the sum of its bodies ({found})")

    def torque(self, frame):
        """Of dead loads about the origin."""
        total = (0.0, 0.0, 0.0)
        for body in self.bodies:
            g, force = self.gravity(body) or ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
            for k in self.carriers[body.number]:
                total = plus(total, cross(frame.x[k], plus(times(self.mass[k], g), force)))
        return total

    def compare(self, frame, name, own, told, rounding=0.0):
        if not abs(own - told) <= AGREE * self.scale + rounding:
            self.fault("ledger", f"{name} is {told:.9g} in history.csv at time {frame.time:g}, by the frame {own:.9g}")

    def judge_rows(self):
        """Every row: its sums, and losses that are not negative and do not return."""
        def losses(row):
            return math.fsum(row.get(name, 0.0) for name in LOSSES)

        rows = self.all_rows
        first = rows[0]["total"]
        # what the ledger explains, since the energy that a run has grows with a false one, and falls with a missing one; what
        # contact has added is false as well
        added = [max(0.0, -math.fsum(row.get(name, 0.0) for name in LOSSES[:3])) for row in rows]
        self.scale = max(max(first - row["external"] - losses(row) - more, abs(row["external"]), losses(row))
                         for row, more in zip(rows, added))
        # where nothing moves: what rounding moves, and what loads would bring in a step
        span = self.size / max(rows[-1]["time"], 1e-300)
        kick = self.pull() * self.summary.get("step_size", 0.0)
        self.scale = max(self.scale, math.fsum(self.mass) * (1e-20 * span**2 + kick**2 / 2), self.lift(), 1e-300)
        before = dict.fromkeys(LOSSES, 0.0)
        for row in rows:
            total = math.fsum(row[name] for name in ("kinetic", "internal", "external"))
            residual = total + losses(row) - row.get("oscillation", 0.0) - first
            if not (abs(total - row["total"]) <= SUMS * self.scale and abs(residual - row["residual"]) <= SUMS * self.scale):
                self.fault("sums", f"total or residual of the row at time {row['time']:g} is not the sum of its columns")
            for name in LOSSES:
                value = row.get(name, 0.0)
                allowed = RETURNED * self.scale + (UNDONE * before[name] if name == "damping" else 0)
                if not self.rules.may_give(name) and not value >= before[name] - allowed:
                    self.fault("loss", f"{name} falls from {before[name]:.6g} to {value:.6g} at time {row['time']:g}")
                if self.rules.losses_grow(name):
                    before[name] = max(before[name], value)

    def judge_energy(self):
        def losses(row):
            return math.fsum(row.get(name, 0.0) for name in LOSSES)

        start = since = None
        largest = last = steady = 0.0
        # an interval that contains two audits
        lasting = 2 * self.rules.audited_every * self.summary.get("step_size", 0.0)
        for frame in self.frames:
            row = self.rows.get(frame.time)
            if row is None:
                self.fault("ledger", f"the frame at time {frame.time!r} has no row in history.csv")
                continue
            energy = math.fsum(self.energies(frame, row).values())
            start = energy if start is None else start
            last = (energy + losses(row) - row.get("oscillation", 0.0) - start) / self.scale
            largest = max(largest, abs(last))
            if abs(last) <= UNDER_WAY:
                since = None
            elif since is None:
                since, least = frame.time, abs(last)
            else:
                least = min(least, abs(last))
                steady = max(steady, least) if frame.time - since >= lasting else steady
        self.figures["residual"], self.figures["largest"] = last, largest
        if not abs(last) <= UNEXPLAINED:
            self.fault("residual", f"{100 * last:.3g} % of the energy is unexplained at the end")
        elif not steady <= UNDER_WAY:
            self.fault("way", f"{100 * steady:.3g} % of the energy is unexplained on the way")

    def momentum(self, frame):
        return tuple(math.fsum(m * v[i] for m, v in zip(self.mass, frame.v)) for i in range(3))

    def received(self, time):
        """Momentum that obstacles have received until a time, by their load cells."""
        names = [b.name for b in self.bodies if b.obstacle]
        total, before = (0.0, 0.0, 0.0), 0.0
        for row in self.all_rows:
            if row["time"] > time:
                break
            for name in names:
                total = plus(total, times(row["time"] - before, [row[f"{name}.force_{c}"] for c in "xyz"]))
            before = row["time"]
        return total

    def judge_momentum(self):
        """Its components across everything that pushes from outside and is not measured."""
        rules, blocked = self.rules, []
        if rules.scene.get("restraints") or (rules.planes and rules.rubs()) or bonds.holds_ground(rules.scene):
            return
        if any("damping" in b.entry and b.entry["damping"].get("mass") for b in self.bodies):
            return
        acting = [self.gravity(body) for body in self.bodies]
        if None in acting:
            return
        push = (0.0, 0.0, 0.0)
        for body, (g, force) in zip(self.bodies, acting):
            mass = math.fsum(self.mass[k] for k in self.carriers[body.number])
            push = plus(push, plus(times(mass, g), times(len(body.nodes), force)))
        for plane in rules.planes:
            n = tuple(plane["normal"])
            for b in blocked:
                n = minus(n, times(dot(n, b), b))
            if norm(n) > 1e-6 * norm(plane["normal"]):
                blocked.append(unit(n))
        start = self.momentum(self.first)
        scale = max(math.fsum(m * norm(v) for m, v in zip(self.mass, f.v)) + f.time * norm(push) for f in self.frames)
        worst = 0.0
        cells = any(body.obstacle for body in self.bodies)
        for frame in self.frames:
            if cells and self.rows.get(frame.time, {"contacts": 1})["contacts"]:
                # a load cell has the whole of an impulse at the time of a row, velocities have half of it
                continue
            change = plus(minus(minus(self.momentum(frame), start), times(frame.time, push)), self.received(frame.time))
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
        outside = outside or bonds.holds_ground(scene) or any(b.obstacle or b.rigid and self.glued(b) for b in self.bodies)
        objective = all("linear" not in b.laws and (b.solid or b.plane or b.element in ("loop-shell", "rigid")) for b in self.bodies)
        damped = any("damping" in b.entry for b in self.bodies)
        plain = {"newmark-dcr": not rules.projects, "asynchronous": rules.strictness == "exact",
                 "energy-momentum": params.get("scheme", "conserving") == "conserving",
                 "nonsmooth-newmark": not set(params) & {"beta", "gamma", "gradients", "contact"}}.get(rules.method, False)
        if outside or damped or not objective or not plain or rules.rubs() or rules.contact.get("thickness"):
            return
        centre = times(1 / math.fsum(self.mass), [math.fsum(m * p[i] for m, p in zip(self.mass, self.reference)) for i in range(3)])

        def total(frame):
            terms = [times(m, cross(minus(p, centre), v)) for m, p, v in zip(self.mass, frame.x, frame.v)]
            terms += [rigid.angular(self.rows[frame.time]) for rigid in self.rigid.values()]
            return tuple(math.fsum(t[i] for t in terms) for i in range(3))

        if any(frame.time not in self.rows for frame in self.frames):
            return
        start = total(self.first)
        scale = max(math.fsum(m * norm(minus(p, centre)) * norm(v) for m, p, v in zip(self.mass, f.x, f.v)) for f in self.frames)
        worst = max(norm(minus(total(frame), start)) for frame in self.frames)
        if scale > 0 and not worst <= ANGULAR * scale:
            self.fault("angular momentum", f"angular momentum changes by {worst / scale:.2g} of its scale")

    def bind(self):
        """What the scene ties, with the faces on which the slaves begin."""
        self.ties, self.middles = [], {}
        by_name = {b.name: skin for b, skin in zip(self.bodies, self.skins)}
        for tie in self.rules.scene.get("tied", []):
            bound = bonds.Tie(*(by_name[tie[side]["body"]] for side in ("from", "to")), self.reference, self.size)
            if not bound.bound:
                self.fault("tie", f"no node of {bound.slave.body.name} lies on {bound.master.body.name} at the start")
            self.ties.append(bound)
        by_name = {body.name: body for body in self.bodies}
        self.pins = [(pin, bonds.Pin(*(self.corner(by_name[pin[side]["body"]], pin[side]["point"]) for side in ("from", "to")),
                                     self.reference)) for pin in self.rules.scene.get("connections", [])]
        self.find_pushes()
        self.tips = held.virtual_tips(self.bodies, self.reference) if self.rules.has_tips else {}
        self.held = [(item, by_name[item["body"]], held.nodes_of(item, by_name[item["body"]], self.reference, self.size))
                     for item in self.rules.scene.get("restraints", []) if item["body"] in by_name]
        self.prescribed = {(body.number, k) for item, body, nodes in self.held if {"velocity", "velocities"} & set(item)
                           for k in (body.nodes if nodes is None else nodes)}
        for body in self.bodies:
            if body.obstacle:
                self.middles[body.name] = bonds.box_middle([self.reference[k] for k in body.nodes])

    def corner(self, body, point):
        """A body and its node at a point."""
        node = min(body.nodes, key=lambda k: norm(minus(self.reference[k], point)))
        if not norm(minus(self.reference[node], point)) <= bonds.NEAR * self.size:
            self.fault("judge", f"no node of {body.name} is where it is connected")
        return body, node

    def find_pushes(self):
        """Impulses of contact on all nodes that may act in the step before a frame: those since the last frame but one."""
        self.pushes, last = {self.first.time: [0.0] * len(self.reference)}, [0.0] * len(self.reference)
        for before, frame in zip(self.frames, self.frames[1:]):
            own = [norm(force) * (frame.time - before.time) for force in frame.nodes["contact_force"]]
            self.pushes[frame.time], last = [a + b for a, b in zip(last, own)], own

    def opened(self, weights, frame):
        """How far a tie that holds may be open in a frame."""
        allowed = bonds.TIED * self.size
        if self.rules.method == "newmark-dcr":
            allowed += bonds.opening(weights, self.pushes[frame.time], self.mass, self.summary.get("step_size", 0))
        return allowed

    def end_of(self, frame):
        """The function that gives the place of one end of a spring, now and at the start."""
        def place(end):
            point = tuple(end["point"])
            if "body" not in end:
                return point, point
            body = next(b for b in self.bodies if b.name == end["body"])
            k = min(body.nodes, key=lambda k: norm(minus(self.reference[k], point)))
            return frame.x[k], self.reference[k]

        return place

    def springs(self, frame):
        return math.fsum(bonds.spring_energy(spring, self.end_of(frame)) for spring in self.rules.scene.get("springs", []))

    def linked(self, rigid):
        """The rigid bodies that joints connect with one, directly or through others; itself included."""
        found = [rigid]
        for one in found:
            for joint in self.rules.scene.get("joints", []):
                ends = {joint["body"], joint.get("to", "ground")} - {"ground"}
                if one.name in ends:
                    found += [self.rigid[name] for name in sorted(ends) if self.rigid[name] not in found]
        return found

    def judge_bonds(self, frame):
        """Rigid bodies, joints, ties, connections and obstacles."""
        row, scene = self.rows.get(frame.time), self.rules.scene
        if row is None:
            return
        layer = self.layer()
        past = [r for r in self.all_rows if r["time"] <= frame.time]
        step = self.summary.get("step_size", 0)
        for rigid in self.rigid.values():
            linked = self.linked(rigid)
            turned = max(norm(rigid.spin(r)) for r in past) * step
            arcs = [(max(norm(other.spin(r)) for r in past) * step, other.reach(scene.get("joints", []))) for other in linked]
            for fault in rigid.faults(frame, row, turned, arcs, layer) if not self.glued(rigid.body) else ():
                self.fault(*fault)
        for joint in scene.get("joints", []):
            other = bonds.Ground() if joint.get("to", "ground") == "ground" else self.rigid[joint["to"]]
            gap = bonds.joint_gap(joint, self.rigid[joint["body"]], other, frame, row, self.size)
            if not gap <= bonds.CLOSED:
                self.fault("joint", f"the {joint['kind']} of {joint['body']} is open by {gap:.2g} at time {frame.time:g}")
        for tie in self.ties:
            mean, farthest = tie.gap(frame.x)
            allowed = bonds.TIED * self.size if tie.master.body.rigid else self.opened(tie.weights, frame)
            if not (mean <= allowed and farthest <= tie.largest_bend(frame.x)):
                self.fault("tie", f"{tie.slave.body.name} is {mean:.3g} off {tie.master.body.name} in the mean, a node {farthest:.3g}, "
                           f"at time {frame.time:g}")
        for pin, bound in self.pins:
            gap = bonds.gap_of(bound.weights, frame.x)
            if not gap <= self.opened(bound.weights, frame):
                self.fault("tie", f"a connection of {pin['from']['body']} is open by {gap:.3g} at time {frame.time:g}")
        for item, body, nodes in self.held:
            for fault in held.faults(item, body, nodes or [], self.reference, frame, self.size, step, self.tips):
                self.fault(*fault)
        for body in self.bodies:
            if body.obstacle:
                self.judge_obstacle(body, frame)

    def judge_obstacle(self, body, frame):
        motion = body.entry["obstacle"]
        for k in body.nodes:
            place = bonds.obstacle_place(motion, self.reference[k], self.middles[body.name], frame.time)
            off = norm(minus(frame.x[k], place))
            if not off <= bonds.CLOSED * (self.size + norm(place)):
                self.fault("obstacle", f"node {k} of {body.name} is {off:.3g} from where its motion puts it at time {frame.time:g}")


def judge_results(scene, folder, summary=None):
    """The judge after it has looked at the results in a folder."""
    return Judge(scene, read_frames(folder), read_table(folder / "history.csv"), summary).judge()
