# SPDX-License-Identifier: MIT
"""No tolerance depends on units: lengths, times and masses in other units, by powers of two, give the same digits."""
import csv

import cli

SCENE = """\
integrator: {integrator}
time: {{end: {end!r}, step: {step!r}}}
gravity: [0, 0, {gravity!r}]
contact: {{friction: 0.3, restitution: 0, planes: [{{name: floor, normal: [0, 0, 1], point: [0, 0, {floor!r}]}}]}}
bodies:
  - name: upper
    mesh: {{box: {{from: [0, 0, 0], to: [{L!r}, {L!r}, {half!r}], elements: [2, 2, 1], cells: tet4}}}}
    element: tet4
    material: {{st-venant-kirchhoff: {{young: {young!r}, poisson: 0.3, density: {density!r}}}}}
    velocity: [{v[0]!r}, {v[1]!r}, {v[2]!r}]
  - name: lower
    mesh: {{box: {{from: [{low[0]!r}, {low[1]!r}, {low[2]!r}], to: [{high[0]!r}, {high[1]!r}, {high[2]!r}],
                  elements: [2, 2, 1], cells: tet4}}}}
    element: tet4
    material: {{st-venant-kirchhoff: {{young: {young!r}, poisson: 0.3, density: {density!r}}}}}
output: {{history: {{every: 1}}, fields: {{every: 0}}}}
"""


class Units(cli.CommandTest):
    def books(self, integrator, length, time, mass):
        """Two blocks that slide onto each other and a floor: energies over time, in the first units."""
        text = SCENE.format(
            integrator=integrator, L=length, half=0.5 * length, end=0.4 * time, step=0.002 * time,
            gravity=-length / time ** 2, floor=-0.55 * length, young=200 * mass / (length * time ** 2),
            density=mass / length ** 3, v=[c * length / time for c in (0.5, 0.1, -1)],
            low=[c * length for c in (0.1, 0.15, -0.5)], high=[c * length for c in (1.1, 1.05, -0.02)])
        scene = self.folder / "units.yaml"
        scene.write_text(text)
        self.carom("run", scene, "-q", "-o", "out", "--threads", 1)
        with open(self.folder / "out/history.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        energy = mass * length ** 2 / time ** 2
        self.assertGreater(max(int(row["contacts"]) for row in rows), 8)
        return [[float(row[name]) / energy for name in ("kinetic", "internal", "friction", "residual")] for row in rows]

    def test_powers_of_two(self):
        """Scaling by powers of two changes no rounding, so an absolute tolerance anywhere would show."""
        for integrator in ("newmark-dcr", "asynchronous", "nonsmooth-newmark"):
            first = self.books(integrator, 1.0, 1.0, 1.0)
            for units in ((2.0 ** 10, 1.0, 1.0), (1.0, 2.0 ** -10, 1.0), (1.0, 1.0, 2.0 ** 20),
                          (2.0 ** -7, 2.0 ** 9, 2.0 ** -11)):
                self.assertEqual(self.books(integrator, *units), first, (integrator, units))

    def test_metres_and_millimetres(self):
        """Powers of ten round; methods that resolve one impact after another do not amplify that."""
        for integrator in ("newmark-dcr", "asynchronous"):
            first, second = self.books(integrator, 1.0, 1.0, 1.0), self.books(integrator, 1000.0, 1.0, 1e-3)
            for a, b in zip(first, second, strict=True):
                for x, y in zip(a, b):
                    self.assertLess(abs(x - y), 1e-10 * first[0][0])


if __name__ == "__main__":
    cli.main()
