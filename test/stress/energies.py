# SPDX-License-Identifier: MIT
"""Masses and stored energies of bodies, from meshes and materials alone.

Notation: F = dx/dX at a point, W(F) energy per reference volume (`laws`). Energies that take more than a page (nodal averages,
subdivision shells, beams, hourglass stiffness), and those of materials with history, are not computed here: `has_energy` tells.
Bodies without elements are in `rigid`.
"""
import itertools
import math

from . import laws
from .vectors import cross, determinant, dot, minus, norm, times

POINT, LINE, TRIANGLE, QUAD, TET, HEX, WEDGE = 1, 3, 5, 9, 10, 12, 13
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


def shapes_of(kind):
    """Shape functions and their derivatives at the points of full integration: [(weight, [N_a], [dN_a])]."""
    if kind in (TRIANGLE, TET):
        d = 2 if kind == TRIANGLE else 3
        gradients = [tuple(-1.0 for _ in range(d))] + [tuple(float(i == j) for j in range(d)) for i in range(d)]
        return [(1 / math.factorial(d), [1 / (d + 1)] * (d + 1), gradients)]
    if kind == WEDGE:
        return wedge_points()
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


def wedge_points():
    """Three points of the triangle by two along the height: N = L_a (1 +- t)/2 with L = 1 - r - s, r, s."""
    points, slopes = [], ((-1.0, -1.0), (1.0, 0.0), (0.0, 1.0))
    for t in GAUSS:
        for r, s in ((1 / 6, 1 / 6), (2 / 3, 1 / 6), (1 / 6, 2 / 3)):
            flat = (1 - r - s, r, s)
            values = [flat[a] * (1 + sign * t) / 2 for sign in (-1, 1) for a in range(3)]
            gradients = [(slopes[a][0] * (1 + sign * t) / 2, slopes[a][1] * (1 + sign * t) / 2, sign * flat[a] / 2)
                         for sign in (-1, 1) for a in range(3)]
            points.append((1 / 6, values, gradients))
    return points


SHAPES = {kind: shapes_of(kind) for kind in (TRIANGLE, QUAD, TET, HEX, WEDGE)}


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


class Body:
    """One body of a scene: its cells in the frames, what it is made of."""

    def __init__(self, number, entry, cells):
        self.number, self.entry, self.cells = number, entry, cells
        self.name = entry["name"]
        self.obstacle = "obstacle" in entry
        self.element, self.params = ("obstacle", {}) if self.obstacle else one_key(entry["element"])
        if self.element == "exact-beam":
            # beams show a skin around their nodes, which has no mass
            self.cells = cells = [cell for cell in cells if cell[0] == LINE]
        self.nodes = sorted({k for _, corners in cells for k in corners})
        self.rigid = self.element == "rigid"
        self.solid = self.element in ("tet4", "hex8", "nodal", "wedge6")
        self.plane = self.element in ("tri3", "quad4")
        # (law, parameters, box of the scene or None) of the parts, the last one that of the rest
        self.parts = [(*one_key(part["material"]), part["in_box"]) for part in entry.get("materials", [])]
        self.parts += [(*one_key(entry["material"]), None)] if "material" in entry else []
        self.laws = {name for name, _, _ in self.parts}
        self.history = bool(self.laws & {"j2", "viscoelastic"})
        self.has_energy = self.knows_energy()
        # of a shell the surface that has mass is not the one of its nodes; a beam has rotational energy as well
        self.has_mass = self.element not in ("loop-shell", "exact-beam", "obstacle", "rigid")

    def knows_energy(self):
        if self.history or self.element in ("loop-shell", "exact-beam", "nodal"):
            return False
        if self.element == "bar":
            return self.laws <= {"linear", "st-venant-kirchhoff"} and self.params.get("strain", "small") != "log"
        return self.params.get("integration", "full") != "one-point" and self.params.get("volume", "cell") == "cell"

    def material_of(self, corners, reference):
        """Law and parameters of a cell: those of the box in which its centre starts."""
        if len(self.parts) == 1:
            return self.parts[0][:2]
        centre = times(1 / len(corners), [math.fsum(reference[k][i] for k in corners) for i in range(3)])
        for name, params, box in self.parts:
            if box is None or all(low <= c <= high for low, c, high in zip(box["low"], centre, box["high"])):
                return name, params
        return self.parts[-1][:2]

    def thickness(self):
        return self.params.get("thickness", 1) if self.plane else 1

    def masses(self, x):
        """Row sums of the mass matrix, {node: mass}."""
        found = dict.fromkeys(self.nodes, 0.0)
        for kind, corners in self.cells:
            if kind == POINT:
                found[corners[0]] += self.params["mass"]
                continue
            density = self.material_of(corners, x)[1]["density"]
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
        if kind == POINT or not self.parts:
            return 0.0
        name, material = self.material_of(corners, reference)
        if kind == LINE:
            d0, d = minus(reference[corners[1]], reference[corners[0]]), minus(x[corners[1]], x[corners[0]])
            length = norm(d0)
            change = minus(d, d0)
            strain = dot(d0, change) / length**2
            if self.params.get("strain", "small") == "green":
                strain += dot(change, change) / (2 * length**2)
            return self.params.get("area", 1) * length * material["young"] / 2 * strain**2
        points = self.gradients(kind, corners, reference, x, name, material)
        if self.params.get("integration") == "mean-dilatation":
            whole = math.fsum(size for size, _ in points)
            mean = math.fsum(size * determinant(*f) for size, f in points) / whole
            if mean <= 0 or any(determinant(*f) <= 0 for _, f in points):
                return math.inf
            points = [(size, laws.scaled(f, (mean / determinant(*f)) ** (1 / 3))) for size, f in points]
        return math.fsum(size * laws.density_of_energy(name, material, f) for size, f in points) * self.thickness()

    def gradients(self, kind, corners, reference, x, name, material):
        """[(reference volume, F)] of the points of a cell; a plane one has its F_33."""
        nodes0, nodes = [reference[k] for k in corners], [x[k] for k in corners]
        found = []
        for weight, _, gradients in SHAPES[kind]:
            d = len(gradients[0])
            jacobian = columns(gradients, nodes0, d)
            f = gradient(columns(gradients, nodes, d), jacobian)
            if d == 2:
                depth = laws.thin(name, material, f) if self.params.get("plane", "strain") == "stress" else 1.0
                f = [(*f[0], 0.0), (*f[1], 0.0), (0.0, 0.0, depth)]
            found.append((weight * volume(jacobian), f))
        return found

    def rounding(self, reference):
        """Energy of a strain by rounding, linear where terms of a law cancel: all there is in a stiff body at rest."""
        if not self.parts or self.rigid:
            return 0.0
        stiffest = max(laws.bulk_modulus(name, material) for name, material, _ in self.parts)
        lightest = min(material["density"] for _, material, _ in self.parts)
        return 1e-12 * stiffest * math.fsum(self.masses(reference).values()) / lightest if self.has_mass else 0.0


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
