# SPDX-License-Identifier: MIT
"""Stored energies of elastic laws per reference volume, from the deformation gradient alone.

Notation: F = dx/dX by its columns, J = det F, b = F F^T, l_A principal stretches, a bar: times J^(-1/3). Laws with history (j2,
viscoelastic) have no formula here.
"""
import math

from .vectors import determinant, dot

RUBBERS = ("mooney-rivlin", "yeoh", "gent", "ogden")
ELASTIC = ("linear", "st-venant-kirchhoff", "neo-hookean", *RUBBERS)


def lame(material):
    young, nu = material["young"], material.get("poisson", 0)
    return young * nu / ((1 + nu) * (1 - 2 * nu)), young / (2 * (1 + nu))


def bulk_modulus(name, material):
    """The stiffness that decides how much energy rounding makes of nothing."""
    if "bulk" in material:
        return material["bulk"]
    return material["young"] if material.get("poisson", 0) < 0.4 else material["young"] / (1 - 2 * material["poisson"])


def green_like(name, la, mu, f):
    """Of linear and st-venant-kirchhoff: the same energy of two strains."""
    if name == "linear":
        e = [[(f[j][i] + f[i][j]) / 2 - (i == j) for j in range(3)] for i in range(3)]
    else:
        e = [[(dot(f[i], f[j]) - (i == j)) / 2 for j in range(3)] for i in range(3)]
    trace = e[0][0] + e[1][1] + e[2][2]
    return la / 2 * trace**2 + mu * sum(v * v for row in e for v in row)


def neo_hookean(la, mu, f):
    j = determinant(*f)
    if j <= 0:
        return math.inf
    log = math.log(j)
    # F:F - 3 as the trace of 2 E, from F - I, which keeps the digits of small strains
    h = [[f[k][i] - (i == k) for i in range(3)] for k in range(3)]
    trace = sum(2 * h[k][k] for k in range(3)) + sum(v * v for row in h for v in row)
    return mu / 2 * trace - mu * log + la / 2 * log**2


def squared_stretches(f):
    """Eigenvalues of F^T F by Jacobi's rotations."""
    c = [[dot(f[i], f[j]) for j in range(3)] for i in range(3)]
    for _ in range(30):
        p, q = max(((0, 1), (0, 2), (1, 2)), key=lambda ij: abs(c[ij[0]][ij[1]]))
        if abs(c[p][q]) <= 1e-17 * (c[0][0] + c[1][1] + c[2][2]):
            break
        t = (c[q][q] - c[p][p]) / (2 * c[p][q])
        t = math.copysign(1, t) / (abs(t) + math.sqrt(t * t + 1))
        cosine = 1 / math.sqrt(t * t + 1)
        sine = t * cosine
        for k in range(3):
            c[k][p], c[k][q] = cosine * c[k][p] - sine * c[k][q], sine * c[k][p] + cosine * c[k][q]
        for k in range(3):
            c[p][k], c[q][k] = cosine * c[p][k] - sine * c[q][k], sine * c[p][k] + cosine * c[q][k]
    return [c[k][k] for k in range(3)]


def isochoric(name, m, squares):
    """W of a rubber from the squares of its stretches without their change of volume."""
    first, second = sum(squares) - 3, sum(1 / s for s in squares) - 3
    if name == "mooney-rivlin":
        return m["c10"] * first + m.get("c01", 0) * second
    if name == "yeoh":
        return m["c1"] * first + m.get("c2", 0) * first**2 + m.get("c3", 0) * first**3
    if name == "gent":
        return -m["shear"] * m["limit"] / 2 * math.log1p(-first / m["limit"]) if first < m["limit"] else math.inf
    return sum(mu / a * (sum(s ** (a / 2) for s in squares) - 3) for mu, a in m["terms"])


def density_of_energy(name, material, f):
    """W of a gradient in space, given by its columns."""
    if name in ("linear", "st-venant-kirchhoff"):
        return green_like(name, *lame(material), f)
    if name == "neo-hookean":
        return neo_hookean(*lame(material), f)
    j = determinant(*f)
    if j <= 0:
        return math.inf
    return isochoric(name, material, [s / j ** (2 / 3) for s in squared_stretches(f)]) + material["bulk"] / 2 * math.log(j) ** 2


def slope(name, m, squares, across):
    """t_33 - tr t/3 of a rubber: its deviatoric stress across a sheet; `squares` without change of volume, `across` one of them."""
    first, second = sum(squares), sum(1 / s for s in squares)
    if name == "ogden":
        return sum(mu * (across ** (a / 2) - sum(s ** (a / 2) for s in squares) / 3) for mu, a in m["terms"])
    if name == "mooney-rivlin":
        return 2 * m["c10"] * (across - first / 3) - 2 * m.get("c01", 0) * (1 / across - second / 3)
    x = first - 3
    if name == "yeoh":
        factor = 2 * (m["c1"] + 2 * m.get("c2", 0) * x + 3 * m.get("c3", 0) * x**2)
    else:
        factor = m["shear"] * m["limit"] / max(m["limit"] - x, 1e-300)
    return factor * (across - first / 3)


def thin(name, material, f):
    """F_33 of plane stress."""
    area = f[0][0] * f[1][1] - f[0][1] * f[1][0]
    if name in ("linear", "st-venant-kirchhoff", "neo-hookean"):
        la, mu = lame(material)
    if name == "linear":
        return 1 - la / (la + 2 * mu) * (f[0][0] + f[1][1] - 2)
    if name == "st-venant-kirchhoff":
        green = sum((f[k][0]**2 + f[k][1]**2 - 1) / 2 for k in range(2))
        return math.sqrt(max(1 - 2 * la / (la + 2 * mu) * green, 0))
    if area <= 0:
        return math.nan
    plane = squared_stretches([(*f[0], 0.0), (*f[1], 0.0), (0.0, 0.0, 0.0)])
    plane = sorted(plane)[1:]

    def across(log):
        """Kirchhoff's stress across the sheet, which grows with ln F_33."""
        if name == "neo-hookean":
            return mu * (math.exp(2 * log) - 1) + la * (math.log(area) + log)
        volume = math.log(area) + log
        squares = [s * math.exp(-2 / 3 * volume) for s in (*plane, math.exp(2 * log))]
        return material["bulk"] * volume + slope(name, material, squares, squares[2])

    low, high = -5.0, 5.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if across(middle) < 0 else (low, middle)
    return math.exp((low + high) / 2)


def scaled(f, factor):
    return [tuple(factor * c for c in column) for column in f]
