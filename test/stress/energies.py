# SPDX-License-Identifier: MIT
"""Masses and stored energies of bodies, from meshes and materials alone.

Notation: F = dx/dX at a point, W(F) energy per reference volume, lambda and mu Lame's constants. Energies that take more than a
page (nodal averages, subdivision shells, beams, hourglass stiffness) are not computed here: `has_energy` tells.
"""
import itertools
import math

from .vectors import cross, determinant, dot, minus, norm

POINT, LINE, TRIANGLE, QUAD, TET, HEX = 1, 3, 5, 9, 10, 12
# Corners of the reference square and cube in the order of VTK, and the points of 2 x 2 x 2 integration, all of weight 1.
SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))
CUBE = tuple((r, s, -1) for r, s in SQUARE) + tuple((r, s, 1) for r, s in SQUARE)
GAUSS = (-1 / math.sqrt(3), 1 / math.sqrt(3))


def one_key(choice):
    """Name and parameters of a kind: `bar` or {bar: {area: 1}}."""
    if isinstance(choice, str):
        return choice, {}
    (name, params), = choice.items()
    return name, params or {}


def lame(material):
    young, nu = material["young"], material.get("poisson", 0)
    return young * nu / ((1 + nu) * (1 - 2 * nu)), young / (2 * (1 + nu))


def shapes_of(kind):
    """Shape functions and their derivatives at the points of full integration: [(weight, [N_a], [dN_a])]."""
    if kind in (TRIANGLE, TET):
        d = 2 if kind == TRIANGLE else 3
        gradients = [tuple(-1.0 for _ in range(d))] + [tuple(float(i == j) for j in range(d)) for i in range(d)]
        return [(1 / math.factorial(d), [1 / (d + 1)] * (d + 1), gradients)]
    corners = SQUARE if kind == QUAD else CUBE
    d = len(corners[0])
    points = []
    for at in itertools.product(GAUSS, repeat=d):
        factors = [[(1 + c[i] * at[i]) / 2 for i in range(d)] for c in corners]
        values = [math.prod(f) for f in factors]
        gradients = [tuple(c[i] / 2 * math.prod(f[j] for j in range(d) if j != i) for i in range(d))
                     for c, f in zip(corners, factors)]
        points.append((1.0, values, gradients))
    return points


SHAPES = {kind: shapes_of(kind) for kind in (TRIANGLE, QUAD, TET, HEX)}


def columns(gradients, nodes, d):
    """dx/dr as d columns of three components."""
    return [tuple(math.fsum(g[i] * x[k] for g, x in zip(gradients, nodes)) for k in range(3)) for i in range(d)]


def volume(jacobian):
    """det dX/dr in space, of a plane element that of its two components."""
    return jacobian[0][0] * jacobian[1][1] - jacobian[0][1] * jacobian[1][0] if len(jacobian) == 2 else determinant(*jacobian)


def gradient(y, jacobian):
    """The columns of F = (dx/dr)(dX/dr)^-1; in the plane F_33 is left out."""
    if len(jacobian) == 2:
        (a, c, _), (b, d, _) = jacobian
        det = a * d - b * c
        inverse = ((d / det, -b / det), (-c / det, a / det))
        return [tuple(y[0][i] * inverse[0][k] + y[1][i] * inverse[1][k] for i in range(2)) for k in range(2)]
    det = determinant(*jacobian)
    rows = [cross(jacobian[1], jacobian[2]), cross(jacobian[2], jacobian[0]), cross(jacobian[0], jacobian[1])]
    return [tuple(sum(y[r][i] * rows[r][k] for r in range(3)) / det for i in range(3)) for k in range(3)]


def law(name, la, mu, f):
    """W of a gradient in space, given by its columns."""
    if name == "linear":
        e = [[(f[j][i] + f[i][j]) / 2 - (i == j) for j in range(3)] for i in range(3)]
        trace = e[0][0] + e[1][1] + e[2][2]
        return la / 2 * trace**2 + mu * sum(v * v for row in e for v in row)
    if name == "st-venant-kirchhoff":
        e = [[(dot(f[i], f[j]) - (i == j)) / 2 for j in range(3)] for i in range(3)]
        trace = e[0][0] + e[1][1] + e[2][2]
        return la / 2 * trace**2 + mu * sum(v * v for row in e for v in row)
    j = determinant(*f)
    if j <= 0:
        return math.inf
    log = math.log(j)
    # F:F - 3 as the trace of 2 E, from F - I, which keeps the digits of small strains
    h = [[f[k][i] - (i == k) for i in range(3)] for k in range(3)]
    trace = sum(2 * h[k][k] for k in range(3)) + sum(v * v for row in h for v in row)
    return mu / 2 * trace - mu * log + la / 2 * log**2


def thin(name, la, mu, f):
    """F_33 of plane stress."""
    if name == "linear":
        return 1 - la / (la + 2 * mu) * (f[0][0] + f[1][1] - 2)
    if name == "st-venant-kirchhoff":
        green = sum((f[k][0]**2 + f[k][1]**2 - 1) / 2 for k in range(2))
        return math.sqrt(max(1 - 2 * la / (la + 2 * mu) * green, 0))
    area = f[0][0] * f[1][1] - f[0][1] * f[1][0]
    if area <= 0:
        return math.nan
    # mu (z - 1) + la ln(area sqrt z) = 0 by Newton's method in ln z
    log = 0.0
    for _ in range(100):
        value = mu * (math.exp(log) - 1) + la * (math.log(area) + log / 2)
        change = value / (mu * math.exp(log) + la / 2)
        log -= max(-1.0, min(1.0, change))
        if abs(change) < 1e-15:
            break
    return math.exp(log / 2)


class Body:
    """One body of a scene: its cells in the frames, what it is made of."""

    def __init__(self, number, entry, cells):
        self.number, self.entry, self.cells = number, entry, cells
        self.name = entry["name"]
        self.element, self.params = one_key(entry["element"])
        if self.element == "exact-beam":
            # beams show a skin around their nodes, which has no mass
            self.cells = cells = [cell for cell in cells if cell[0] == LINE]
        self.law, self.material = one_key(entry["material"]) if "material" in entry else (None, {})
        self.nodes = sorted({k for _, corners in cells for k in corners})
        self.solid = self.element in ("tet4", "hex8", "nodal")
        self.plane = self.element in ("tri3", "quad4")
        self.has_energy = self.element in ("tet4", "tri3", "quad4", "bar", "point-mass") or (
            self.element == "hex8" and self.params.get("integration", "full") == "full")
        # of a shell the surface that has mass is not the one of its nodes; a beam has rotational energy as well
        self.has_mass = self.element not in ("loop-shell", "exact-beam")

    def thickness(self):
        return self.params.get("thickness", 1) if self.plane else 1

    def masses(self, x):
        """Row sums of the mass matrix, {node: mass}."""
        found = dict.fromkeys(self.nodes, 0.0)
        for kind, corners in self.cells:
            if kind == POINT:
                found[corners[0]] += self.params["mass"]
                continue
            density = self.material["density"]
            if kind == LINE:
                length = norm(minus(x[corners[1]], x[corners[0]]))
                for k in corners:
                    found[k] += density * self.params.get("area", 1) * length / 2
                continue
            nodes = [x[k] for k in corners]
            for weight, values, gradients in SHAPES[kind]:
                size = weight * volume(columns(gradients, nodes, len(gradients[0])))
                for k, value in zip(corners, values):
                    found[k] += density * self.thickness() * size * value
        return found

    def energy(self, reference, x):
        """Stored energy; infinite where an element is inside out and its law has no answer."""
        return math.fsum(self.cell_energy(kind, corners, reference, x) for kind, corners in self.cells)

    def cell_energy(self, kind, corners, reference, x):
        if kind == POINT:
            return 0.0
        if kind == LINE:
            d0, d = minus(reference[corners[1]], reference[corners[0]]), minus(x[corners[1]], x[corners[0]])
            length = norm(d0)
            change = minus(d, d0)
            strain = dot(d0, change) / length**2
            if self.params.get("strain", "small") == "green":
                strain += dot(change, change) / (2 * length**2)
            return self.params.get("area", 1) * length * self.material["young"] / 2 * strain**2
        la, mu = lame(self.material)
        nodes0, nodes = [reference[k] for k in corners], [x[k] for k in corners]
        energy = 0.0
        for weight, _, gradients in SHAPES[kind]:
            d = len(gradients[0])
            jacobian = columns(gradients, nodes0, d)
            f = gradient(columns(gradients, nodes, d), jacobian)
            if d == 2:
                depth = thin(self.law, la, mu, f) if self.params.get("plane", "strain") == "stress" else 1.0
                f = [(*f[0], 0.0), (*f[1], 0.0), (0.0, 0.0, depth)]
            energy += weight * volume(jacobian) * law(self.law, la, mu, f)
        return energy * self.thickness()


def bodies_of(scene, frame):
    """The bodies of a scene with their cells; an array is as many bodies."""
    entries = []
    for entry in scene["bodies"]:
        copies = math.prod(entry.get("array", {}).get("copies", [1, 1, 1]))
        entries += [entry] if "array" not in entry else [{**entry, "name": f"{entry['name']}_{i}"} for i in range(copies)]
    cells = [[] for _ in entries]
    for number, cell in zip(frame.cell_body, frame.cells):
        cells[number].append(cell)
    return [Body(number, entry, cells[number]) for number, entry in enumerate(entries)]
