#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The equations of Pandolfi, Kane, Marsden & Ortiz that docs/papers/nonsmooth.md calls misprints, as printed and as corrected,
and what its section 3 implies, without carom:

    python3 docs/papers/check_nonsmooth.py

Contacts are a node C and a segment AB in the plane: nodes A, B, C, with the gap -area and the slip rows of C on AB."""
import math
import random

random.seed(1)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def projected(vectors, m, v):
    """v without its parts along `vectors`, in the metric of the masses."""
    basis = []
    for a in vectors:
        for b in basis:
            a = [x - y * sum(p * q * r for p, q, r in zip(m, a, b)) for x, y in zip(a, b)]
        size = math.sqrt(sum(p * x * x for p, x in zip(m, a)))
        if size > 1e-9:
            basis.append([x / size for x in a])
    for b in basis:
        c = sum(p * x * y for p, x, y in zip(m, v, b))
        v = [x - c * y for x, y in zip(v, b)]
    return v, len(basis)


def contact():
    """Masses of the coordinates, the gradient of the measure, the slip row of C on AB, rigid motions, and a stretch of AB."""
    A, B = [random.uniform(-1, 1) for _ in range(2)], [random.uniform(-1, 1) for _ in range(2)]
    xi, m = random.random(), [math.exp(random.uniform(-2, 2)) for _ in range(3)]
    C = [(1 - xi) * a + xi * b for a, b in zip(A, B)]
    length = math.dist(A, B)
    u = [(b - a) / length for a, b in zip(A, B)]
    n = [u[1], -u[0]]
    w = [xi - 1, -xi, 1]
    normal, slip = [c * e for c in w for e in n], [c * e for c in w for e in u]
    rigid = [[1, 0] * 3, [0, 1] * 3, [e for x in (A, B, C) for e in (-x[1], x[0])]]
    # AB becomes longer, and C stays where it is on AB
    stretch = [e * d for x in (A, B, C) for e, d in zip(u, 2 * [dot(u, x)])]
    return [a for a in m for _ in range(2)], normal, slip, rigid, stretch


def modes():
    """Equations (3.3) and (3.4): what is left of the velocities, and what of it is a slip."""
    m, normal, slip, rigid, stretch = contact()
    by_mass = [x / a for x, a in zip(normal, m)]
    count = 6 - projected(rigid + [by_mass], m, 6 * [0])[1]
    worst, least = 0, 1e9
    for _ in range(1000):
        m, normal, slip, rigid, stretch = contact()
        by_mass = [x / a for x, a in zip(normal, m)]
        left = projected(rigid + [by_mass], m, stretch)[0]
        rubbed = dot(slip, stretch)
        size = math.sqrt(sum(a * x * x for a, x in zip(m, left)) / sum(a * x * x for a, x in zip(m, stretch)))
        worst, least = max(worst, abs(rubbed)), min(least, size)
    print(f"(3.3), (3.4)  {count} modes are left, slip and stretch. AB stretched with C fixed on it: slip rate {worst:.1g}, "
          f"sliding velocity of (3.3) at least {least:.2g} of all")


def norms():
    """Equation (3.5): |N| |v| over the force at the point times the rate of slip, with two pairs of norms."""
    dual, plain = [], []
    for _ in range(1000):
        m, normal, slip, _, _ = contact()
        # the slip component of a velocity: along M^-1 slip
        by_mass = [x / a for x, a in zip(slip, m)]
        rate, force = dot(slip, by_mass), 1
        norm_N = math.sqrt(sum(x * x / a for x, a in zip(normal, m)))
        norm_v = math.sqrt(sum(a * x * x for x, a in zip(by_mass, m)))
        dual.append(norm_N * norm_v / (force * rate))
        plain.append(math.sqrt(dot(normal, normal)) * math.sqrt(dot(by_mass, by_mass)) / (force * rate))
    print(f"(3.5)         |N| |v| over force times slip rate: {min(dual):.6f} to {max(dual):.6f} with the norms of 1/M and M, "
          f"{min(plain):.3f} to {max(plain):.3f} with plain ones")


def gradient():
    """Equation (3.8) against differences of (3.7), one coordinate, with f^int in place of f."""
    h, m, pre, load, start, beta, rub = 0.1, 1.3, 0.7, 0.4, 0.2, 0.25, 0.9

    def energy(x):
        return m * (x - pre) ** 2 / h ** 2 + 2 * beta * (x ** 4 / 4 - load * x) + h * rub * abs((x - start) / h)

    def equation(x, force):
        return 2 / h ** 2 * m * (x - pre) + 2 * beta * (force - load) + math.copysign(rub, x - start)
    x, d = 0.6, 1e-6
    slope = (energy(x + d) - energy(x - d)) / (2 * d)
    print(f"(3.8)         with f the function of (3.7) off by {abs(equation(x, energy(x)) - slope):.2g}, with f^int by "
          f"{abs(equation(x, x ** 3) - slope):.1g}")


def wedge():
    """Truesdell's wedge: the nearest admissible point to the end of a step that starts at the tip, for all angles."""
    worst = 0
    for theta in range(5, 90, 5):
        for i in range(-19, 20, 2):
            a, phi = math.radians(theta), math.radians(0.05 * i * theta)
            pre = [math.cos(phi), math.sin(phi)]
            ends = []
            for side in (1, -1):
                face = [math.cos(a), side * math.sin(a)]
                ends.append([max(0, dot(face, pre)) * e for e in face])
            end = min(ends, key=lambda e: math.dist(e, pre))
            v = [2 * e - p for e, p in zip(end, pre)]
            out = math.copysign(2 * a, phi) - phi
            worst = max(worst, math.dist(v, [math.cos(out), math.sin(out)]))
    print(f"wedge         half angles 5 to 85 degrees: the velocity is that of the reflection at the nearer face to {worst:.1g}")


if __name__ == "__main__":
    modes()
    norms()
    gradient()
    wedge()
