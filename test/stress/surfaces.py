# SPDX-License-Identifier: MIT
"""The part of the judge that looks at surfaces: nodes behind planes, faces that intersect, nodes that have passed."""
from . import skins
from .vectors import dot, minus, unit

BEHIND = 1e-8  # of the size of the scene: rounding of planes, and of surfaces held to rounding


class Surfaces:
    """Mixed into the judge, which has bodies, skins, rules, lengths and `fault`."""

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
                    elif (body.number, k) in self.prescribed:
                        # nothing can hold it back, and the run stops where it is deeper
                        allowed += 0.5 * self.edge[body.number]
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
