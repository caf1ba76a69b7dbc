# SPDX-License-Identifier: MIT
"""What holds bodies together or moves them: joints, springs, ties, obstacles; each by its own geometry from the frames.

Poses of rigid bodies are those of `rigid`, the ground has the pose of the start. A joint is closed where the points and axes
that it holds together are.
"""
import math

from .energies import CUBE, HEX, SHAPES, TET, columns, volume
from .vectors import cross, determinant, dot, minus, norm, plus, rotation, times, turn, unit

CLOSED = 1e-8  # of the size of the scene, and of an axis
TIED = 1e-10  # of the size
NEAR = 1e-9  # of the size: nodes of a tie lie on its faces at the start
IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class Ground:
    """A rigid body that does not move."""

    def rows_of(self, _):
        return IDENTITY

    def place(self, _frame, _row, point):
        return tuple(point)


def joint_gap(joint, one, other, frame, row, size):
    """How far a joint is open, as a part of the size or of an axis."""
    kind = joint["kind"]
    rows, rows_of_other = one.rows_of(row), other.rows_of(row)
    gaps = [0.0]
    if kind in ("slider", "upright"):
        gaps.append(max(norm(minus(a, b)) for a, b in zip(rows, rows_of_other)))
    axis = unit(joint["axis"]) if "axis" in joint else None
    if kind in ("hinge", "cylinder", "planar"):
        gaps.append(norm(minus(turn(rows, axis), turn(rows_of_other, axis))))
    if kind == "upright":
        return max(gaps)
    point = joint.get("at", one.at)
    apart = minus(one.place(frame, row, point), other.place(frame, row, point))
    if axis:
        along = turn(rows_of_other, axis)
        part = times(dot(apart, along), along)
        apart = {"hinge": apart, "planar": part}.get(kind, minus(apart, part))
    return max(*gaps, norm(apart) / size)


def spring_energy(spring, end):
    """Of one spring; `end` gives the place of each end now and at the start."""
    now = norm(minus(*(end(spring[side])[0] for side in ("from", "to"))))
    start = norm(minus(*(end(spring[side])[1] for side in ("from", "to"))))
    return 0.5 * spring.get("stiffness", 0) * (now - spring.get("length", start)) ** 2


def on_triangle(p, a, b, c):
    """Weights of the corners for a point on a triangle, and its distance from it."""
    u, v, w = minus(b, a), minus(c, a), minus(p, a)
    n = cross(u, v)
    square = dot(n, n)
    s, t = dot(cross(w, v), n) / square, dot(cross(u, w), n) / square
    outside = max(0.0, -s, -t, s + t - 1)
    return (1 - s - t, s, t), abs(dot(w, n)) / math.sqrt(square) + outside * max(norm(u), norm(v))


def on_quad(p, corners):
    """The same for a quadrilateral, by Newton's method in its two coordinates."""
    u = v = 0.5
    for _ in range(20):
        weights = ((1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v)
        at = combination(weights, corners)
        du = combination((v - 1, 1 - v, v, -v), corners)
        dv = combination((u - 1, -u, u, 1 - u), corners)
        r = minus(p, at)
        a, b, c = dot(du, du), dot(du, dv), dot(dv, dv)
        det = a * c - b * b
        if det <= 0:
            break
        u, v = u + (c * dot(r, du) - b * dot(r, dv)) / det, v + (a * dot(r, dv) - b * dot(r, du)) / det
    outside = max(0.0, -u, -v, u - 1, v - 1)
    weights = ((1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v)
    return weights, norm(minus(p, combination(weights, corners))) + outside * norm(minus(corners[2], corners[0]))


def combination(weights, points):
    return tuple(math.fsum(w * p[i] for w, p in zip(weights, points)) for i in range(3))


def lying(slave, masters, x, size):
    """{node: (face, weights)} of the nodes of one skin that lie on a face of the other at the start."""
    found = {}
    for k in slave.nodes:
        for face in masters.faces:
            corners = [x[i] for i in face]
            weights, distance = on_triangle(x[k], *corners) if len(face) == 3 else on_quad(x[k], corners)
            if distance < NEAR * size:
                found[k] = (face, weights)
                break
    return found


def shares(nodes, faces, x):
    """Parts of the nodes in the mean over the faces all of whose corners are among them; these are flat."""
    found = {}
    for face in faces:
        if set(face) <= set(nodes):
            for a, b, c in ((face[0], face[i], face[i + 1]) for i in range(1, len(face) - 1)):
                area = norm(cross(minus(x[b], x[a]), minus(x[c], x[a]))) / 2
                for k in face:
                    found[k] = found.get(k, 0.0) + area / len(face)
    whole = math.fsum(found.values())
    return {k: v / whole for k, v in found.items()}


class Tie:
    """A tie of two bodies whose surfaces cover each other.

    What holds the two together is a condition in the mean over the faces (mortar): the mean of the one surface is that of the
    other, to rounding, while single nodes may leave their faces as far as the other side bends within a face. That is less than
    half of a face, as far as it is stretched on average at the time: bodies may be drawn out to many times their size. A rigid
    side is the master whichever of the two it is, and each node that lies on it is a point of it.
    """

    def __init__(self, one, other, x, size):
        self.slave, self.master = (other, one) if one.body.rigid else (one, other)
        self.bound = lying(self.slave, self.master, x, size)
        back = lying(self.master, self.slave, x, size)
        self.weights, opposite = (shares(nodes, skin.faces, x) for nodes, skin in ((self.bound, self.slave), (back, self.master)))
        subtract(opposite, self.weights)
        self.faces = [face for skin in (one, other) for face in skin.faces]
        self.face = max(extent(face, x) for face in self.faces)
        self.extents = sum(extent(face, x) for face in self.faces)

    def gap(self, x):
        """How far the means are apart, of a rigid side the farthest node; and how far the farthest node is off its face."""
        farthest = max((norm(minus(x[k], combination(weights, [x[i] for i in face]))) for k, (face, weights) in self.bound.items()),
                       default=0.0)
        return farthest if self.master.body.rigid else gap_of(self.weights, x), farthest

    def largest_bend(self, x):
        """How far a node may be off its face."""
        return self.face / 2 * max(1.0, sum(extent(face, x) for face in self.faces) / self.extents)


def extent(face, x):
    """The largest distance of two corners."""
    return max(norm(minus(x[a], x[b])) for a in face for b in face)


class Pin:
    """A connection of two nodes: both bodies are continued to the middle between them.

    Each goes on with the mean, by volume, of the deformation gradients at its node in the cells around it. A gradient at a node
    is that of the three edges of the cell there.
    """

    def __init__(self, one, other, x):
        """Each side is (body, node)."""
        middle = times(0.5, plus(x[one[1]], x[other[1]]))
        self.weights = continued(*one, middle, x)
        subtract(continued(*other, middle, x), self.weights)


def subtract(other, weights):
    for k, weight in other.items():
        weights[k] = weights.get(k, 0.0) - weight


def gap_of(weights, x):
    """How far two points are apart; the difference of their positions is the sum of weights times nodes."""
    return norm(combination(weights.values(), [x[k] for k in weights]))


def continued(body, node, point, x):
    """{node: weight} of a point that moves with the cells around a node."""
    sums, whole, arm = {}, 0.0, minus(point, x[node])
    for kind, corners in body.cells:
        if node not in corners:
            continue
        ends = [corners[i] for i in neighbours(kind, corners.index(node))]
        edges = [minus(x[k], x[node]) for k in ends]
        size = math.fsum(w * volume(columns(g, [x[k] for k in corners], 3)) for w, _, g in SHAPES[kind])
        whole += size
        parts = [determinant(*(arm if i == j else edge for j, edge in enumerate(edges))) / determinant(*edges) for i in range(3)]
        for k, part in zip((node, *ends), (1 - math.fsum(parts), *parts)):
            sums[k] = sums.get(k, 0.0) + size * part
    return {k: v / whole for k, v in sums.items()}


def neighbours(kind, corner):
    """The corners of a cell to which an edge goes from one of them."""
    if kind == TET:
        return [i for i in range(4) if i != corner]
    if kind == HEX:
        return [i for i in range(8) if sum(a != b for a, b in zip(CUBE[i], CUBE[corner])) == 1]
    return [i for i in range(6) if i != corner and (i // 3 == corner // 3 or i % 3 == corner % 3)]


def opening(weights, pushes, masses, step):
    """How far contact may open a tie: impulses that push its nodes in a step separate them until its end; then they are led back."""
    return step * math.fsum(abs(weight) * pushes[k] / masses[k] for k, weight in weights.items() if pushes[k])


def factor_until(item, time):
    """The integral of the factor of a motion from 0 to a time."""
    if "ramp" in item and item["ramp"] > 0:
        end = item["ramp"]
        s = min(time / end, 1)
        return end * (s**3 - s**4 / 2) + max(time - end, 0)
    return table_until([(0.0, 1.0)] if "history" not in item else item["history"], time, 1)


def table_until(rows, time, column):
    """The integral of a column of a table from 0 to a time: straight between rows, constant before and after."""
    def at(t):
        if t <= rows[0][0]:
            return rows[0][column]
        for (t0, *before), (t1, *after) in zip(rows, rows[1:]):
            if t <= t1:
                return before[column - 1] + (after[column - 1] - before[column - 1]) * (t - t0) / (t1 - t0)
        return rows[-1][column]

    ends = [0.0, *(r[0] for r in rows if 0 < r[0] < time), time]
    return math.fsum((b - a) * (at(a) + at(b)) / 2 for a, b in zip(ends, ends[1:]))


def displacement(motion, time):
    """Of an obstacle or a restraint that prescribes everything."""
    if "path" in motion:
        rows = motion["path"]
        for (t0, *a), (t1, *b) in zip(rows, rows[1:]):
            if time <= t1:
                return plus(a, times((time - t0) / (t1 - t0), minus(b, a)))
        return tuple(rows[-1][1:])
    if "velocities" in motion:
        return tuple(table_until(motion["velocities"], time, i) for i in (1, 2, 3))
    return times(factor_until(motion, time), motion.get("velocity", (0, 0, 0)))


def obstacle_place(motion, p, middle, time):
    """Where a point of an obstacle is; `middle` is the centre of the box around it at the start."""
    moved = displacement(motion, time)
    spin = motion.get("turn")
    if not spin:
        return plus(p, moved)
    point = tuple(spin.get("point", middle))
    rows = rotation(spin.get("axis", (0, 0, 1)), spin["rate"] * factor_until(spin, time))
    return plus(plus(point, turn(rows, minus(p, point))), moved)


def box_middle(points):
    return tuple((min(p[i] for p in points) + max(p[i] for p in points)) / 2 for i in range(3))


def is_driven(scene):
    """Whether something moves that is not free to: its work is known to the run alone."""
    restraints = any({"velocity", "velocities", "from", "until"} & set(r) for r in scene.get("restraints", []))
    obstacles = any(b.get("obstacle") for b in scene["bodies"])
    return restraints or obstacles or any(j.get("speed") for j in scene.get("joints", []))


def holds_ground(scene):
    """Whether joints or springs end at the ground."""
    return any(j.get("to", "ground") == "ground" for j in scene.get("joints", [])) or any(
        "body" not in spring[side] for spring in scene.get("springs", []) for side in ("from", "to"))
