#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The references of scenes/verify/rebound, nail and golf: impacts of inelastic bodies by theories of one dimension
(inelastic_impacts.md). Nothing of carom is used.

    python3 docs/theory/measure_inelastic.py
"""
import math


def hertz(mass, radius, modulus, speed):
    """Largest approach and duration of the elastic impact of a ball on a rigid plane; modulus is E/(1 - nu^2)."""
    approach = (15 * mass * speed**2 / (16 * modulus * math.sqrt(radius))) ** 0.4
    return approach, 2.9432 * approach / speed


def ball(g, rate, steps=8000):
    """Rebound over arrival velocity, and duration over that of the soft elastic ball: Hertz's contact with the relaxation
    1 + g exp(-t/tau), after Lee and Radok while the area of contact grows and after Ting while it shrinks. rate = omega tau,
    omega = pi over the duration of the soft elastic impact. Units: mass, force over approach^(3/2) and speed are 1."""
    duration = 2.9432 * 1.25**0.4
    tau, h = rate * duration / math.pi, duration / steps
    grown = lambda t: math.exp(t / tau)
    # over time: approach x, integrals of exp(t/tau) dx and exp(t/tau) d(x^(3/2))
    x, first, second = [0.0], [0.0], [0.0]
    t, v, force, same = 0.0, 1.0, 0.0, None
    while True:
        v -= 0.5 * h * force
        x.append(x[-1] + h * v)
        middle = grown(t + 0.5 * h)
        t += h
        power = [max(a, 0) ** 1.5 for a in x[-2:]]
        first.append(first[-1] + middle * (x[-1] - x[-2]))
        second.append(second[-1] + middle * (power[1] - power[0]))
        if same is None and v < 0:
            same = len(x) - 2
        if same is None:
            force = power[1] + g * second[-1] / grown(t)
        else:
            # the time of loading at which the area of contact was the present one
            late = lambda i: x[-1] - x[i] + g * (first[-1] - first[i]) / grown(t)
            while same > 0 and late(same) < 0:
                same -= 1
            if same == 0:
                return -v, t / duration
            share = min(max(late(same) / (late(same) - late(same + 1)), 0), 1)
            between = lambda a: a[same] + share * (a[same + 1] - a[same])
            force = max(between(x), 0) ** 1.5 + g * between(second) / grown(t)
        v -= 0.5 * h * force


def oscillator(g, rate, steps=20000):
    """The same for a mass on a spring 1 in parallel with a branch of stiffness g, which separates when the force is 0."""
    h, x, branch, v, force, t = math.pi / steps, 0.0, 0.0, 1.0, 0.0, 0.0
    half = math.exp(-0.5 * h / rate)
    while True:
        v -= 0.5 * h * force
        x += h * v
        branch = half * (half * branch + h * v)
        force = x + g * branch
        t += h
        if force < 0:
            return -v, t / math.pi
        v -= 0.5 * h * force


def hole(radius, first, outer, young, poisson, flow, rings=1500):
    """Pressure that widens a hole of radius `first` in a long cylinder to `radius`: plane strain, no change of volume, perfectly
    plastic. With R before and r after, r^2 - R^2 is the same everywhere, and the strains are +-ln(r/R)."""
    shear, sum_ = young / (2 * (1 + poisson)), 0.0
    for k in range(rings):
        R = first * (outer / first) ** ((k + 0.5) / rings)
        r = math.sqrt(R * R + radius**2 - first**2)
        q = min(2 * math.sqrt(3) * shear * math.log(r / R), flow)
        sum_ += 2 / math.sqrt(3) * q * (R / r) ** 2 * math.log(outer / first) / rings
    return sum_


def nail(energy, young, poisson, flow, friction, radius, first, outer, slope, start):
    """Depth at which slow driving has taken that energy, and the share of friction. The nail ends in a cone whose radius at the
    mouth of the hole is `start` at first."""
    count = 60
    radii = [first + (radius - first) * k / count for k in range(count + 1)]
    pressures = [hole(r, first, outer, young, poisson, flow) for r in radii]
    # force on the cone up to each radius, without friction
    force = [0.0]
    for a, b, p, q in zip(radii, radii[1:], pressures, pressures[1:]):
        force.append(force[-1] + math.pi * (p * a + q * b) * (b - a))
    depth, work, rubbed, h = 0.0, 0.0, 0.0, 1e-6
    while work < energy:
        mouth = min(radius, start + slope * depth)
        at = max(0, (mouth - first) / (radius - first) * count)
        k = min(int(at), count - 1)
        cone = force[k] + (at - k) * (force[k + 1] - force[k])
        shank = 2 * math.pi * radius * pressures[-1] * max(0, depth - (radius - start) / slope)
        work += (cone + friction * (cone / slope + shank)) * h
        rubbed += friction * (cone / slope + shank) * h
        depth += h
    return depth, rubbed / energy, pressures[-1]


if __name__ == "__main__":
    shear, bulk = 1e6, 30e6
    young, poisson = 9 * bulk * shear / (3 * bulk + shear), (3 * bulk - 2 * shear) / (2 * (3 * bulk + shear))
    # the volume is that of the mesh
    approach, duration = hertz(4 * 8.130144e-6 * 1000, 0.02, young / (1 - poisson**2), 2)
    print(f"ball: approach {1e3 * approach:.3f} mm, duration {1e3 * duration:.3f} ms without branches")
    print("tau, ms   omega tau   rebound   duration   rebound of the oscillator   exp(-pi/2 tan delta)")
    for tau in (0.1e-3, 0.3e-3, 0.6e-3, 2e-3, 10e-3):
        rate = math.pi * tau / duration
        (e, time), (other, _) = ball(1, rate), oscillator(1, rate)
        loss = rate / (1 + 2 * rate**2)
        print(f"{1e3 * tau:7.1f}   {rate:9.4f}   {e:7.4f}   {time * duration * 1e3:5.2f} ms   {other:25.4f}   {math.exp(-math.pi / 2 * loss):.4f}")
    depth, share, pressure = nail(5, 3e9, 0.3, 60e6, 0.2, 2e-3, 1.6e-3, 12e-3, 0.2, 1.59e-3)
    print(f"nail: depth {1e3 * depth:.2f} mm, friction {100 * share:.0f} %, pressure {1e-6 * pressure:.0f} MPa")
