# SPDX-License-Identifier: MIT
"""Vectors and matrices of three components, as tuples."""
import math


def plus(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def minus(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def times(s, a):
    return (s * a[0], s * a[1], s * a[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def norm(a):
    return math.sqrt(dot(a, a))


def unit(a):
    return times(1 / norm(a), a)


def determinant(a, b, c):
    return dot(a, cross(b, c))


def rotation(axis, angle):
    """The three rows of the rotation about `axis` by `angle` in radians (Rodrigues)."""
    k = unit(axis)
    c, s = math.cos(angle), math.sin(angle)
    return tuple(tuple((c if i == j else 0) + (1 - c) * k[i] * k[j] + s * e for j, e in enumerate(row))
                 for i, row in enumerate(((0, -k[2], k[1]), (k[2], 0, -k[0]), (-k[1], k[0], 0))))


def turn(rows, a):
    return (dot(rows[0], a), dot(rows[1], a), dot(rows[2], a))


def transposed_times(rows, a):
    """The inverse of a rotation, applied."""
    return tuple(sum(rows[k][i] * a[k] for k in range(3)) for i in range(3))
