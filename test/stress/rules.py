# SPDX-License-Identifier: MIT
"""What a scene promises: who may touch, how strictly, what acts from outside."""
from .energies import one_key


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
        held = [r["body"] for r in scene.get("restraints", []) if not {"set", "from", "until"} & set(r) and r.get("fix") == "xyz"]
        # tied surfaces may lie in each other next to the tie
        self.tied = [{tie["from"]["body"], tie["to"]["body"]} for tie in scene.get("tied", [])]
        self.obstacles = {b.number for b in bodies if b.name in held or b.obstacle}
        self.projects = self.contact.get("resolve") == "projection"
        looks = self.method == "asynchronous" and self.params.get("contact", "exact") != "exact"
        penalty = self.method == "energy-momentum" or self.params.get("contact") == "penalty"
        # virtual tips of bars give way: their nodes go behind planes by what the tips are compressed
        self.has_tips = self.params.get("contact-integrator") == 2
        # nothing ever intersects; it does by rounding only; surfaces overlap and must not pass; they may pass
        if self.projects or self.params.get("pairing") == "closest":
            self.strictness = "may pass"
        elif looks or penalty or self.has_tips:
            self.strictness = "overlaps"
        else:
            self.strictness = "rounding" if self.method == "nonsmooth-newmark" else "exact"
        # by slabs a row has the mean of a slab, and frames may show virtual tips of bars
        beams = any(b.element == "exact-beam" for b in bodies)
        self.slabs = self.method == "multisymplectic" and (beams or self.params.get("contact_rule") == "printed" or self.has_tips)
        # steps between two audits of the ledger (docs/manual/stops.md)
        solves = self.method == "nonsmooth-newmark" and self.params.get("beta", 0) >= 0.25
        self.audited_every = 1 if solves or self.method == "energy-momentum" else 64
        # bars touch with their lines, or with their nodes only
        self.lines = self.method in ("newmark-dcr", "asynchronous") and self.strictness == "exact"

    def touch(self, a, b):
        if self.off or {a.number, b.number} <= self.obstacles:
            return False
        if {a.name, b.name} in self.tied or a is b and a.rigid:
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
        return any(p.get("friction", 0) for p in (self.contact, *self.contact.get("pairs", [])))

    def may_give(self, name):
        """Whether a loss may become negative. Contact handling may give energy, and so may the numerical damping of
        nonsmooth-newmark, (gamma - 1/2) u.K u with the tangent K, which compression can make indefinite.
        """
        damps = self.method == "nonsmooth-newmark" and self.params.get("gamma", 0.5) > 0.5
        return name == "projection" or (damps and name == "damping")

    def losses_grow(self, name):
        """Whether a loss never falls. Impulses of nonsmooth-newmark oppose the slip at the end of a step, so that the work of one
        step on elastic bodies may be negative; those of polled contact act on velocities between two kicks.
        """
        if self.method == "nonsmooth-newmark":
            return name != "friction"
        return not (self.method == "asynchronous" and self.strictness != "exact" and name in ("friction", "restitution"))
