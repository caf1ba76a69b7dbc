# SPDX-License-Identifier: MIT
"""Surfaces of bodies and whether they intersect, decided in exact arithmetic.

A skin is the boundary of a body: triangles in space (faces with four corners divided at their smallest node), segments in the
plane, and the segments of bars. Two skins intersect where an edge of one crosses a triangle of the other. The signs of volumes
decide this; where rounding could change a sign it is computed again in rational numbers, so the answer is exact.
"""
import math
from fractions import Fraction

from .energies import HEX, LINE, QUAD, TET, TRIANGLE, WEDGE
from .vectors import cross, dot, minus, norm

# Faces of cells, corners in the order of VTK, seen from outside counter-clockwise.
FACES = {TET: ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)),
         HEX: ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)),
         WEDGE: ((0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)),
         TRIANGLE: ((0, 1), (1, 2), (2, 0)), QUAD: ((0, 1), (1, 2), (2, 3), (3, 0))}
# Bound of the rounding error of a determinant relative to the sum of the sizes of its terms (about 30 operations).
ROUNDING = 64 * 2.0**-53


class Skin:
    """The boundary of one body: `triangles`, `edges` (in space) or `segments` (in the plane, and of bars)."""

    def __init__(self, body):
        self.body = body
        self.triangles, self.segments, self.faces = [], [], []
        flat = {kind for kind, _ in body.cells} <= {LINE, TRIANGLE, QUAD}
        if body.element in ("bar", "exact-beam"):
            self.segments = [corners for kind, corners in body.cells if kind == LINE]
        elif body.element == "loop-shell" or flat and not body.plane:
            self.faces = [corners for kind, corners in body.cells if kind != LINE]
            self.segments = [corners for kind, corners in body.cells if kind == LINE]
        elif body.element != "point-mass":
            for face in outside(body.cells):
                (self.segments if len(face) == 2 else self.faces).append(face)
        for face in self.faces:
            self.triangles += triangles_of(face)
        self.edges = sorted({tuple(sorted(e)) for a, b, c in self.triangles for e in ((a, b), (b, c), (c, a))})
        faces = self.triangles or self.segments
        self.nodes = sorted({k for face in faces for k in face} or set(body.nodes))
        count = {}
        for a, b, c in self.triangles:
            for e in ((a, b), (b, c), (c, a)):
                count[tuple(sorted(e))] = count.get(tuple(sorted(e)), 0) + 1
        self.closed = bool(self.triangles and all(n == 2 for n in count.values())) or (body.plane and bool(self.segments))


def outside(cells):
    """Facets that belong to one cell only."""
    seen = {}
    for kind, corners in cells:
        for face in FACES.get(kind, ()):
            nodes = tuple(corners[i] for i in face)
            key = frozenset(nodes)
            seen[key] = None if key in seen else nodes
    return [nodes for nodes in seen.values() if nodes]


def triangles_of(face):
    if len(face) == 3:
        return [face]
    first = face.index(min(face))
    a, b, c, d = face[first:] + face[:first]
    return [(a, b, c), (a, c, d)]


def sign_of_volume(a, b, c, d):
    """Sign of (b - a) x (c - a) . (d - a), exact."""
    u, v, w = minus(b, a), minus(c, a), minus(d, a)
    terms = (u[0] * v[1] * w[2], u[1] * v[2] * w[0], u[2] * v[0] * w[1],
             u[2] * v[1] * w[0], u[0] * v[2] * w[1], u[1] * v[0] * w[2])
    value = terms[0] + terms[1] + terms[2] - terms[3] - terms[4] - terms[5]
    # differences are rounded as well: their error is that of the coordinates
    far = max(map(abs, (*a, *b, *c, *d)))
    sizes = [max(map(abs, s)) for s in (u, v, w)]
    bound = ROUNDING * (sum(map(abs, terms)) + far * (sizes[0] * sizes[1] + sizes[1] * sizes[2] + sizes[2] * sizes[0]))
    if abs(value) > bound:
        return 1 if value > 0 else -1
    p = [tuple(map(Fraction, q)) for q in (a, b, c, d)]
    u, v, w = minus(p[1], p[0]), minus(p[2], p[0]), minus(p[3], p[0])
    exact = dot(cross(u, v), w)
    return (exact > 0) - (exact < 0)


def sign_of_area(a, b, c):
    """Sign of the area of a triangle in the x-y plane, exact."""
    left, right = (b[0] - a[0]) * (c[1] - a[1]), (b[1] - a[1]) * (c[0] - a[0])
    far = max(map(abs, (a[0], a[1], b[0], b[1], c[0], c[1])))
    sizes = abs(b[0] - a[0]) + abs(b[1] - a[1]) + abs(c[0] - a[0]) + abs(c[1] - a[1])
    if abs(left - right) > ROUNDING * (abs(left) + abs(right) + far * sizes):
        return 1 if left > right else -1
    (ax, ay), (bx, by), (cx, cy) = [tuple(map(Fraction, p[:2])) for p in (a, b, c)]
    exact = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    return (exact > 0) - (exact < 0)


def crosses(p, q, a, b, c):
    """True if the open segment pq passes through the inside of triangle abc."""
    sp, sq = sign_of_volume(a, b, c, p), sign_of_volume(a, b, c, q)
    if sp * sq >= 0:
        return False
    s = sign_of_volume(p, q, a, b)
    return s != 0 and s == sign_of_volume(p, q, b, c) and s == sign_of_volume(p, q, c, a)


def crosses_segment(p, q, a, b):
    return sign_of_area(a, b, p) * sign_of_area(a, b, q) < 0 and sign_of_area(p, q, a) * sign_of_area(p, q, b) < 0


def depth_of(p, q, a, b, c):
    """How far a segment and a triangle that it crosses must move to part: past an end of the segment or a side of the triangle."""
    n, d = cross(minus(b, a), minus(c, a)), minus(q, p)
    size = norm(n)
    ways = [abs(dot(minus(e, a), n)) / size for e in (p, q)] if size > 0 else [0.0]
    for u, v in ((a, b), (b, c), (c, a)):
        across = cross(d, minus(v, u))
        ways.append(abs(dot(minus(u, p), across)) / norm(across) if norm(across) > 0 else 0.0)
    return min(ways)


def depth_of_segment(p, q, a, b):
    """The same for two segments in the plane."""
    def way(e, u, v):
        length = math.hypot(v[0] - u[0], v[1] - u[1])
        return abs((v[0] - u[0]) * (e[1] - u[1]) - (v[1] - u[1]) * (e[0] - u[0])) / length if length > 0 else 0.0

    return min(way(p, a, b), way(q, a, b), way(a, p, q), way(b, p, q))


def boxes(items, x):
    """Bounds of simplices, sorted by their low x."""
    found = []
    for item in items:
        points = [x[k] for k in item]
        found.append((min(p[0] for p in points), max(p[0] for p in points), min(p[1] for p in points), max(p[1] for p in points),
                      min(p[2] for p in points), max(p[2] for p in points), item))
    return sorted(found, key=lambda box: box[0])


def near(left, right):
    """Pairs of items whose bounds overlap, by a sweep along x."""
    begin = 0
    widest = max((b[1] - b[0] for b in right), default=0)
    for a in left:
        while begin < len(right) and right[begin][0] < a[0] - widest:
            begin += 1
        for b in right[begin:]:
            if b[0] > a[1]:
                break
            if b[1] >= a[0] and a[2] <= b[3] and b[2] <= a[3] and a[4] <= b[5] and b[4] <= a[5]:
                yield a[6], b[6]


def crossings(first, second, x, lines):
    """Intersections of two skins, or of one with itself: [(depth, item, item)]. Without `lines` those of bars are left out."""
    found = []
    flat = first.body.plane or second.body.plane
    if flat:
        if not lines and "bar" in (first.body.element, second.body.element):
            return found
        for (p, q), (a, b) in near(boxes(first.segments, x), boxes(second.segments, x)):
            if not {p, q} & {a, b} and crosses_segment(x[p], x[q], x[a], x[b]):
                found.append((depth_of_segment(x[p], x[q], x[a], x[b]), (p, q), (a, b)))
        return found
    sides = ((first, second),) if first is second else ((first, second), (second, first))
    for pierced, piercing in sides:
        edges = piercing.edges or (piercing.segments if lines else [])
        for (p, q), (a, b, c) in near(boxes(edges, x), boxes(pierced.triangles, x)):
            if not {p, q} & {a, b, c} and crosses(x[p], x[q], x[a], x[b], x[c]):
                found.append((depth_of(x[p], x[q], x[a], x[b], x[c]), (p, q), (a, b, c)))
    return found


def solid_angle(at, triangles, x):
    """Of all triangles as seen from a point (van Oosterom and Strackee): 4 pi inside a closed surface, 0 outside."""
    total = 0.0
    for i, j, k in triangles:
        a, b, c = minus(x[i], at), minus(x[j], at), minus(x[k], at)
        la, lb, lc = norm(a), norm(b), norm(c)
        below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb
        total += 2 * math.atan2(dot(a, cross(b, c)), below)
    return total


def winding(at, segments, x):
    """Of a closed line in the plane about a point, in turns."""
    total = 0.0
    for i, j in segments:
        ax, ay, bx, by = x[i][0] - at[0], x[i][1] - at[1], x[j][0] - at[0], x[j][1] - at[1]
        total += math.atan2(ax * by - ay * bx, ax * bx + ay * by)
    return total / (2 * math.pi)


def inside(skin, at, x):
    """Whether a point is inside a closed skin; an open one has no inside."""
    if not skin.closed:
        return False
    if skin.body.plane:
        return abs(winding(at, skin.segments, x)) > 0.5
    return abs(solid_angle(at, skin.triangles, x)) > 2 * math.pi


def distance(skin, at, x):
    """From a point to the surface."""
    if skin.triangles:
        return min(distance_to_triangle(at, x[a], x[b], x[c]) for a, b, c in skin.triangles)
    return min(distance_to_segment(at, x[a], x[b]) for a, b in skin.segments)


def distance_to_segment(p, a, b):
    d = minus(b, a)
    square = dot(d, d)
    s = min(max(dot(minus(p, a), d) / square, 0), 1) if square > 0 else 0
    return norm(minus(p, (a[0] + s * d[0], a[1] + s * d[1], a[2] + s * d[2])))


def distance_to_triangle(p, a, b, c):
    n = cross(minus(b, a), minus(c, a))
    square = dot(n, n)
    if square > 0:
        sides = [dot(cross(minus(v, u), minus(p, u)), n) for u, v in ((a, b), (b, c), (c, a))]
        if all(s >= 0 for s in sides):
            return abs(dot(minus(p, a), n)) / math.sqrt(square)
    return min(distance_to_segment(p, a, b), distance_to_segment(p, b, c), distance_to_segment(p, c, a))
