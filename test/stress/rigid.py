# SPDX-License-Identifier: MIT
"""Rigid bodies: mass and inertia of a surface, pose and motion at the time of a frame.

Over the triangles (a, b, c) of a closed surface, with D = a . (b x c) and s = a + b + c: V = sum D/6, V c = sum D s/24 and
S = sum D (aa + bb + cc + ss)/120; of an open one the same with areas A: sum A, A s/3, A (aa + bb + cc + ss)/12. The inertia
about the mass centre is tr S I - S.
"""
import math

from .vectors import cross, dot, minus, norm, plus, rotation, times, transposed_times, turn


def moments(triangles, x, closed):
    """Size (volume or area), centre, and the matrix of second moments about the centre."""
    size, first, second = 0.0, (0.0, 0.0, 0.0), [[0.0] * 3 for _ in range(3)]
    origin = x[triangles[0][0]]
    for triangle in triangles:
        a, b, c = (minus(x[k], origin) for k in triangle)
        s = plus(plus(a, b), c)
        if closed:
            d = dot(a, cross(b, c))
            own, of_first, of_second = d / 6, d / 24, d / 120
        else:
            own = norm(cross(minus(b, a), minus(c, a))) / 2
            of_first, of_second = own / 3, own / 12
        size += own
        first = plus(first, times(of_first, s))
        for i in range(3):
            for j in range(3):
                second[i][j] += of_second * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j])
    centre = times(1 / size, first)
    for i in range(3):
        for j in range(3):
            second[i][j] -= size * centre[i] * centre[j]
    return abs(size), plus(origin, centre), [[math.copysign(1, size) * v for v in row] for row in second]


class Rigid:
    """Mass, inertia about the mass centre and arms of the nodes of one rigid body, at the start."""

    def __init__(self, body, skin, first):
        self.body, self.name = body, body.name
        # nodes after those of the mesh: the mass centre, then places of joints
        self.centre = min(k for k, number in enumerate(first.body) if number == body.number and k not in set(body.nodes))
        size, centre, second = moments(skin.triangles, first.x, skin.closed)
        params = body.params
        self.mass = params["mass"] if "mass" in params else params["density"] * size
        self.at = plus(centre, params.get("offset", (0, 0, 0)))
        if "inertia" in params:
            (a, b, c), (d, e, f) = params["inertia"], params.get("products", (0, 0, 0))
            self.inertia = ((a, d, f), (d, b, e), (f, e, c))
        else:
            trace = second[0][0] + second[1][1] + second[2][2]
            self.inertia = [[self.mass / size * ((trace if i == j else 0) - second[i][j]) for j in range(3)] for i in range(3)]
        self.arms = {k: minus(first.x[k], self.at) for k in body.nodes}
        self.radius = max(norm(arm) for arm in self.arms.values())

    def rows_of(self, row):
        """The rotation since the start that the row tells."""
        vector = tuple(row[f"{self.name}.r{c}"] for c in "xyz")
        angle = norm(vector)
        return rotation(vector, angle) if angle > 0 else ((1, 0, 0), (0, 1, 0), (0, 0, 1))

    def place(self, frame, row, point):
        """Where a point of the body, given as at the start, is now."""
        return plus(frame.x[self.centre], turn(self.rows_of(row), minus(point, self.at)))

    def spin(self, row):
        return tuple(row[f"{self.name}.w{c}"] for c in "xyz")

    def angular(self, row):
        """Angular momentum about the mass centre."""
        rows = self.rows_of(row)
        return turn(rows, turn(self.inertia, transposed_times(rows, self.spin(row))))

    def kinetic(self, frame, row):
        v = frame.v[self.centre]
        return 0.5 * self.mass * dot(v, v) + 0.5 * dot(self.spin(row), self.angular(row))

    def reach(self, joints):
        """The farthest distance of a node or a joint from the mass centre."""
        points = [joint["at"] for joint in joints if "at" in joint and self.name in (joint["body"], joint.get("to"))]
        return max([self.radius, *(norm(minus(point, self.at)) for point in points)])

    def faults(self, frame, row, turned, arcs, layer):
        """Nodes that are not where the pose puts them, or do not move with it: [(kind, text)].

        Within a step nodes fly on chords, which shortens arms by an eighth of the square of the turn; after an impact this is given
        back over the next steps, so where impacts follow each other it adds up. What 32 of them at the largest turn in a step so
        far shorten is allowed, and the contact layer. Joints lead mass centres on arcs, of the lengths and turns `arcs` of all
        bodies that they connect.
        """
        allowed = 1e-9 * self.radius + sum(4 * min(angle, 2.0) ** 2 * reach for angle, reach in arcs) + layer
        found = []
        for k, arm in self.arms.items():
            off = norm(minus(frame.x[k], plus(frame.x[self.centre], turn(self.rows_of(row), arm))))
            if not off <= allowed:
                found.append(("shape", f"node {k} of {self.name} is {off:.3g} from its place in the rigid body at time {frame.time:g}"))
                break
        speed = norm(frame.v[self.centre]) + norm(self.spin(row)) * self.radius
        for k in self.arms:
            field = plus(frame.v[self.centre], cross(self.spin(row), minus(frame.x[k], frame.x[self.centre])))
            off = norm(minus(frame.v[k], field))
            if not off <= (1e-9 + turned) * speed + 1e-300:
                found.append(("shape", f"node {k} of {self.name} does not move with the rigid body, by {off:.3g} at time {frame.time:g}"))
                break
        return found
