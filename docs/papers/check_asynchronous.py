#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The equations of Wolff & Bucher 2013 that docs/papers/asynchronous.md calls misprints, as printed and as corrected, and those
that carom does not use, without carom:

    python3 docs/papers/check_asynchronous.py

Contacts are a node C and a segment AB in the plane. Their gap has the gradients w n with w = (-N_A, -N_B, 1), and the relative
velocity is sum w v, equations (21) and (37); g <= 0 is admissible."""
import math
import random

random.seed(1)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def scaled(c, a):
    return [c * x for x in a]


def plus(a, b):
    return [x + y for x, y in zip(a, b)]


def grid():
    """Equation (47): where the last node of a bar of length 10 is, with 0 <= i <= n as printed and up to 5 n."""
    def x(i, n):
        s = i / (5 * n)
        return 10 / n * s + (10 - 10 / n) * s * s
    for n in (3, 4, 8):
        print(f"(47)        n = {n}: last node at {x(n, n):.4g} as printed, {x(5 * n, n):.4g} with i <= 5 n; exact 10")


def pair():
    """Weights, masses, velocities that approach, the normal and the tangent of a random contact."""
    N, angle = random.random(), random.uniform(0, 7)
    n = [math.cos(angle), math.sin(angle)]
    while True:
        w, m, v = [-N, N - 1, 1], [math.exp(random.uniform(-2, 2)) for _ in range(3)], [
            [random.uniform(-1, 1) for _ in range(2)] for _ in range(3)]
        if dot(n, relative(w, v)) > 0.1:
            return w, m, v, n, [-n[1], n[0]]


def relative(w, v):
    return [sum(a * x[i] for a, x in zip(w, v)) for i in range(2)]


def stick():
    """Equations (36) to (40): relative tangential velocity after an impact that sticks, over that before."""
    worst = {2: [], 1: []}
    for _ in range(1000):
        w, m, v, n, t = pair()
        soft = sum(a * a / b for a, b in zip(w, m))
        for factor, found in worst.items():
            # (28), eps = 0, and the part (40) of the increment (39) along the tangent
            J = plus(scaled(-2 * dot(n, relative(w, v)) / soft, n), scaled(-factor * dot(t, relative(w, v)) / soft, t))
            after = [plus(x, scaled(a / b, J)) for x, a, b in zip(v, w, m)]
            found.append(dot(t, relative(w, after)) / dot(t, relative(w, v)))
    for factor, found in worst.items():
        print(f"(39), (40)  factor {factor} for eps = 0: rate of sliding after over before {min(found):.3f} to {max(found):.3f};"
              " (37) demands 0")


def yields():
    """Equation (42): the limit of each node as a share of its increment, for a pair without restraints, and where A moves along
    a line only. The impulses on the two sides are opposite only if the shares are equal."""
    for restrained in (False, True):
        worst = 0
        for _ in range(1000):
            w, m, v, n, t = pair()
            angle = random.uniform(0, 7)
            line = [math.cos(angle), math.sin(angle)]
            P = [lambda a: scaled(dot(a, line), line) if restrained else a] + 2 * [lambda a: a]
            v[0] = P[0](v[0])
            if dot(n, relative(w, v)) <= 0.01:
                continue
            inverse = [[sum(a * a / b * dot(e, p(f)) for a, b, p in zip(w, m, P)) for f in (n, t)] for e in (n, t)]
            normal = -2 * dot(n, relative(w, v)) / inverse[0][0]
            det = inverse[0][0] * inverse[1][1] - inverse[0][1] * inverse[1][0]
            u = relative(w, v)
            # (39) with factor 1: the impulse that stops all relative motion
            stop = [-(inverse[1][1] * dot(n, u) - inverse[0][1] * dot(t, u)) / det,
                    -(inverse[0][0] * dot(t, u) - inverse[1][0] * dot(n, u)) / det]
            shares = []
            for a, b, p in zip(w, m, P):
                dN = scaled(a * normal / b, p(n))
                all_of_it = plus(scaled(a * stop[0] / b, p(n)), scaled(a * stop[1] / b, p(t)))
                tangential = scaled(dot(all_of_it, t), t)
                shares.append(math.hypot(*dN) / math.hypot(*tangential))
            worst = max(worst, max(shares) / min(shares) - 1)
        where = "A on a line" if restrained else "all free"
        print(f"(42)        {where}: shares of the nodes differ by up to {worst:.2g} of the smallest")


def rattle():
    """Algorithm 2 with a linear restraint of one node, and kicks projected by (12): distance after 1000 steps."""
    m, h, G = 1.7, 0.05, [0.6, 0.8]

    def force(q):
        return [-3 * q[0] + q[1], q[0] - 2 * q[1] - q[1] ** 3]

    def P(a):
        return plus(a, scaled(-dot(G, a), G))
    q, v = [0.8, -0.6], [-0.4, 0.3]
    r, u = q[:], v[:]
    for _ in range(1000):
        # RATTLE: the multiplier of the drift returns the node to the line, then the velocity is projected
        half = plus(v, scaled(h / 2 / m, force(q)))
        q = plus(q, scaled(h, half))
        back = dot(G, q)
        q = plus(q, scaled(-back, G))
        half = plus(half, scaled(-back / h, G))
        v = P(plus(half, scaled(h / 2 / m, force(q))))
        u = plus(u, scaled(h / 2 / m, P(force(r))))
        r = plus(r, scaled(h, u))
        u = plus(u, scaled(h / 2 / m, P(force(r))))
    print(f"(12)        equals algorithm 2 to {math.hypot(*plus(q, scaled(-1, r))):.1g}, off the line by {abs(dot(G, r)):.1g}")


def counts():
    """Section 8.4: mean steps from the counts, and the polls of a step of twice the mean critical one."""
    print(f"8.4         mean steps {24884 * 4 / 238944839:.4g} and {3752 * 4 / 7837942:.4g}; 3752 points polled every 1.914e-3: "
          f"{3752 * math.floor(4 / 1.914e-3)}, printed 7837942")


if __name__ == "__main__":
    grid()
    stick()
    yields()
    rattle()
    counts()
