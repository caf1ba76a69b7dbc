#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks equations of Cirak & West 2005, as printed and as corrected, on random contacts; docs/papers/dcr.md quotes the output.

    python3 docs/papers/check_dcr.py

Each line is the largest error of an equation over 1000 contacts of a node with a segment of the plane, of a node with a face or
of two edges: of the printed form, then of the corrected one. Derivatives are compared with central differences. It uses no code
of carom.
"""
import random

TRIALS, STEP, MU = 1000, 1e-5, 0.5


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def combine(*terms):
    """The sum of factors times vectors."""
    return [sum(c * v[i] for c, v in terms) for i in range(len(terms[0][1]))]


def solve(A, b):
    """A x = b by elimination with pivots."""
    n, rows = len(b), [row[:] + [value] for row, value in zip(A, b)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(n):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i])]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def derivative(function, x):
    """The gradient of a function of a list, by central differences."""
    found = []
    for i in range(len(x)):
        ends = [function(x[:i] + [x[i] + s * STEP] + x[i + 1:]) for s in (1, -1)]
        found.append((ends[0] - ends[1]) / (2 * STEP))
    return found


def project(p, span, M):
    """(75): the projection of the momenta p on the span of the rows, in the inner product of the inverse masses."""
    of = [[x / m for x, m in zip(row, M)] for row in span]
    N = solve([[dot(a, b) for b in span] for a in of], [dot(a, p) for a in of])
    return combine(*zip(N, span))


def distance(a, b):
    return max(abs(x - y) for x, y in zip(a, b))


class Errors:
    """Largest errors by name: printed and corrected."""

    def __init__(self):
        self.of = {}

    def note(self, name, corrected, printed=None):
        old = self.of.setdefault(name, [0, None])
        old[0] = max(old[0], corrected)
        if printed is not None:
            old[1] = max(old[1] or 0, printed)

    def print(self):
        print(f"{'':62} {'printed':>9} {'corrected':>9}")
        for name, (corrected, printed) in self.of.items():
            print(f"{name:62} {'' if printed is None else f'{printed:9.1e}':>9} {corrected:9.1e}")


def segment(errors):
    """Section 5.2: a node and a segment in the plane; x = A, B, C."""
    x = [random.uniform(-1, 1) for _ in range(6)]
    turn = lambda a: [-a[1], a[0]]
    between = lambda x, i, j: [x[2 * j] - x[2 * i], x[2 * j + 1] - x[2 * i + 1]]
    g = lambda x: dot(between(x, 1, 2), turn(between(x, 0, 1)))
    a, b = between(x, 1, 2), between(x, 0, 1)
    z = lambda a, b: a[0] * b[1] - a[1] * b[0]
    errors.note("(55), text: g is the third component of a cross product", abs(g(x) - z(b, a)), abs(g(x) - z(a, b)))
    printed = turn(between(x, 2, 1)) + turn(between(x, 0, 2)) + turn(between(x, 1, 0))
    true = derivative(g, x)
    errors.note("(57): gradient of g", distance(true, [-v for v in printed]), distance(true, printed))

    xi = lambda x: dot(between(x, 0, 2), between(x, 0, 1)) / dot(between(x, 0, 1), between(x, 0, 1))
    fixed = xi(x)
    if abs(fixed) > 3 or dot(b, b) < 0.1:
        return
    h = lambda i, s: lambda x: (1 - s(x)) * x[i] + s(x) * x[2 + i] - x[4 + i]
    worst = [0, 0]
    for i in range(2):
        row = [w if j % 2 == i else 0 for j, w in enumerate([1 - fixed, 1 - fixed, fixed, fixed, -1, -1])]
        worst[0] = max(worst[0], distance(derivative(h(i, lambda _: fixed), x), row))
        worst[1] = max(worst[1], distance(derivative(h(i, xi), x), row))
    errors.note("(60): gradient of h, with xi(x) of (58) or frozen", *worst)


def contact():
    """A contact of four nodes in space at g = 0: positions, masses, weights (the gradient of h), normal, momenta."""
    while True:
        x = [[random.uniform(-1, 1) for _ in range(3)] for _ in range(4)]
        if random.random() < 0.5:
            s, t = random.uniform(0.1, 0.4), random.uniform(0.1, 0.4)
            w = [1 - s - t, s, t, -1]
            normal = cross(combine((1, x[1]), (-1, x[0])), combine((1, x[2]), (-1, x[0])))
        else:
            s, t = random.uniform(0.1, 0.9), random.uniform(0.1, 0.9)
            w = [1 - s, s, t - 1, -t]
            normal = cross(combine((1, x[1]), (-1, x[0])), combine((1, x[3]), (-1, x[2])))
        size = dot(normal, normal) ** 0.5
        if size > 0.3:
            break
    h = combine(*zip(w, x))
    for k in (3,) if w[3] == -1 else (2, 3):
        x[k] = combine((1, x[k]), (1, h))
    normal = [v / size for v in normal]
    M = [m for m in (random.uniform(0.5, 3) for _ in range(4)) for _ in range(3)]
    return x, M, w, normal, [m * random.uniform(-1, 1) for m in M]


def space(errors):
    """Sections 4, 5.3 and 7."""
    x, M, w, normal, p = contact()
    inner = lambda a, b: sum(u * v / m for u, v, m in zip(a, b, M))
    size = lambda a: inner(a, a) ** 0.5
    point = combine(*zip(w, x))
    grad_g = [wk * n for wk in w for n in normal]
    grad_h = [[w[k // 3] if k % 3 == i else 0 for k in range(12)] for i in range(3)]
    norm, nonfix = project(p, [grad_g], M), project(p, grad_h, M)
    slide, fix = combine((1, nonfix), (-1, norm)), combine((1, p), (-1, nonfix))

    # rigid motions: translations and rotations of the four nodes, as momenta
    turns = [[v for y in x for v in cross([float(i == j) for j in range(3)], y)] for i in range(3)]
    motions = [[float(k % 3 == i) for k in range(12)] for i in range(3)] + turns
    rigid = project(p, [[m * v for m, v in zip(M, row)] for row in motions], M)
    shape = combine((1, fix), (-1, rigid))
    parts = {"norm": norm, "slide": slide, "rigid": rigid, "shape": shape}
    energy = sum(inner(part, part) for part in parts.values())
    errors.note("(78), (21): energies of norm, slide, rigid, shape add up", abs(energy - inner(p, p)))
    errors.note("(76): the four parts are orthogonal", max(abs(inner(a, b)) for i, a in enumerate(parts.values())
                                                          for j, b in enumerate(parts.values()) if i < j))
    errors.note("(67): p_slide has no normal part", abs(inner(slide, norm)), abs(inner(combine((1, fix), (-1, norm)), norm)))
    momenta = lambda q: [sum(q[i::3]) for i in range(3)] + [dot(turn, q) for turn in turns]
    errors.note("(68), (99b): no momentum of norm, slide and shape",
                max(abs(v) for part in (norm, slide, shape) for v in momenta(part)))
    velocity = lambda q: max(abs(v) for v in combine(*[(w[k] / M[3 * k], q[3 * k:3 * k + 3]) for k in range(4)]))
    errors.note("(99c), (29): no sliding of fix, rigid and shape", max(velocity(q) for q in (fix, rigid, shape)))
    errors.note("h = 0 at the contact", max(map(abs, point)))

    after = combine((1, p), (-2, norm))
    gained = inner(after, after) - inner(p, p)
    errors.note("(11b), (14): energy after p - 2 p_norm", abs(gained))

    # a normal impulse that takes the work W of a projection: |p + lambda grad g|^2 - |p|^2 is twice the change of K
    W = 0.2 * inner(norm, norm)
    took = lambda factor: 0.5 * (inner(p, p) - inner(norm, norm) + max(inner(norm, norm) - factor * W, 0)) - 0.5 * inner(p, p)
    errors.note("(15): change of kinetic energy by the work W", abs(took(2) + W), abs(took(1) + W))

    # Coulomb's law for the impulses at the contact point, where the weights make p_k = w_k J
    J = lambda q: [v / w[0] for v in q[:3]]
    length = lambda q: dot(J(q), J(q)) ** 0.5
    ratio = lambda factor: length(combine((factor * MU * size(norm) / size(slide), slide))) / length(combine((2, norm)))
    if size(slide) > 2 * MU * size(norm):
        errors.note("(45): |J_t| / |J_n| less mu = 0.5 in a slip", abs(ratio(2) - MU), abs(ratio(1) - MU))


def main():
    random.seed(1)
    errors = Errors()
    for _ in range(TRIALS):
        segment(errors)
        space(errors)
    errors.print()


if __name__ == "__main__":
    main()
