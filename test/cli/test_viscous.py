# SPDX-License-Identifier: MIT
"""Viscous branches in scenes: beside a metal in every element, in sheets, with relaxation times shorter than a step, and in a run
that is resumed; and what is said of a metal that has melted."""
import re

import cli

METAL = "law: j2, young: 10, poisson: 0.3, yield: 0.1, modulus: 0.5, density: 1, prony: [[0.5, 0.5], [0.2, 0.1]]"

SCENE = """\
integrator: newmark-dcr
time: {{end: 2, step: {step}}}
bodies:
  - name: body
    mesh: {mesh}
    element: {element}
    material: {{viscoelastic: {{{material}}}}}
    velocity: {velocity}
contact: {{restitution: 0, planes: [{{name: wall, normal: [1, 0, 0], point: [-0.01, 0, 0]}}]}}
output: {{fields: {{every: 0}}}}
"""

BOX = "{box: {from: [0, 0, 0], to: [2, 1, 1], elements: [4, 2, 2]}}"
CUT = "{box: {from: [0, 0, 0], to: [2, 1, 1], elements: [3, 2, 2], cells: tet4}}"
PLATE = "{rectangle: {from: [0, 0, 0], to: [2, 1, 0], columns: 6, rows: 3}}"
CUT_PLATE = "{rectangle: {from: [0, 0, 0], to: [2, 1, 0], columns: 6, rows: 3, cells: tri3}}"

ELEMENTS = [
    (BOX, "{hex8: {integration: mean-dilatation}}"),
    (BOX, "{hex8: {integration: one-point}}"),
    (CUT, "{tet4: {volume: nodal}}"),
    (CUT, "nodal"),
    (PLATE, "{quad4: {plane: strain, integration: mean-dilatation}}"),
    (PLATE, "{quad4: {plane: stress}}"),
    (CUT_PLATE, "{tri3: {plane: stress}}"),
    (CUT_PLATE, "{loop-shell: {thickness: 0.1, layers: 3}}"),
    ("{line: {from: [0, 0, 0], to: [2, 0, 0], elements: 10}}", "{bar: {area: 1, strain: log}}"),
]

MELTING = """\
integrator: newmark-dcr
time: {end: 2.0e-5, step: auto}
bodies:
  - name: rod
    mesh: {box: {from: [0, 0, 0.0001], to: [0.004, 0.004, 0.02], elements: [3, 3, 12]}}
    element: {hex8: {integration: mean-dilatation}}
    material:
      j2: {young: 124e9, poisson: 0.34, density: 8960, yield: 90e6, hardening: johnson-cook, strength: 292e6, exponent: 0.31,
           rate: 0.025, reference_rate: 1, softening: 1.09, melting: 400, heat_capacity: 383}
    velocity: [0, 0, -2500]
contact: {restitution: 0, planes: [{name: floor, normal: [0, 0, 1]}]}
"""

FLIGHT = """\
integrator: energy-momentum
time: {end: 0.5, step: 0.01}
bodies:
  - name: body
    mesh: {box: {from: [-0.5, -0.6, 0], to: [0.5, 0.6, 0.5], elements: [2, 1, 2], cells: tet4}}
    element: tet4
    material: {viscoelastic: {law: mooney-rivlin, c10: 0.5, c01: 0.4, bulk: 12, density: 1, prony: [[0.9, 0.01], [0.7, 0.05]]}}
    place: {axis: [-0.5, -0.4, -0.7], angle: 61, translate: [-0.1, 0.3, 0.4]}
    velocity: [-0.01, 17, -12]
contact: false
output: {fields: {every: 0}}
"""


class Viscous(cli.CommandTest):
    def write(self, name, mesh, element, material, step, speed="[-0.3, 0, 0]"):
        path = self.folder / f"{name}.yaml"
        path.write_text(SCENE.format(mesh=mesh, element=element, material=material, step=step, velocity=speed), encoding="utf-8")
        return path

    def test_elements(self):
        for number, (mesh, element) in enumerate(ELEMENTS):
            with self.subTest(element=element):
                path = self.write(f"metal{number}", mesh, element, METAL, 0.01)
                hashes = set()
                for threads in ("1", "2"):
                    self.carom("run", path, "--threads", threads)
                    result = cli.result(self.folder / "out" / path.stem)
                    hashes.add(result["state_hash"])
                last, first = result["ledger"]["last"], result["ledger"]["first"]
                self.assertEqual(len(hashes), 1)
                self.assertGreater(last["plasticity"], 0.02 * first["kinetic"])
                self.assertGreater(last["viscosity"], 0.02 * first["kinetic"])
                self.assertLess(abs(last["residual"]), 5e-3 * first["kinetic"])

    def test_short_times(self):
        # the books balance whatever the relaxation time, and what is not resolved is told
        material = "young: 10, poisson: 0.3, density: 1, prony: [[1, {time}]]"
        for time in (0.02, 0.004, 1e-9):
            path = self.write(f"time{time}", *ELEMENTS[0], material.format(time=time), 0.02)
            _, err = self.carom("run", path)
            last = cli.result(self.folder / "out" / path.stem)["ledger"]
            self.assertLess(abs(last["last"]["residual"]), 0.01 * last["first"]["kinetic"])
            self.assertEqual("times the relaxation time" in err, time < 0.02)
        # automatic steps are short enough for what matters
        for time, matters in ((0.02, True), (1e-5, False)):
            path = self.write(f"auto{time}", *ELEMENTS[0], material.format(time=time), "auto")
            out, err = self.carom("check", path)
            step = float(re.search(r"steps of ([0-9.e-]+)", out).group(1))
            self.assertEqual(step <= time, matters)
            self.assertEqual("times the relaxation time" in err, not matters)

    def test_resumed(self):
        path = self.write("resumed", *ELEMENTS[0], "young: 10, poisson: 0.3, density: 1, prony: [[1, 0.3]]", "auto", "[-0.4, 0, 0]")
        tables = []
        for more in ((), ("--resume",)):
            out, _ = self.carom("run", path, "--set", "output.checkpoint.every=5", "--set", "time.on_event=warn", "--set", "time.safety=0.9",
                                *more)
            tables.append(re.findall(r"(?m)^  (?:residual|oscillation|viscosity|internal).*$", out))
        # both are there: steps close to the stable one leave a few percent
        self.assertTrue(any("residual" in line for line in tables[0]) and any("oscillation" in line for line in tables[0]))
        self.assertEqual(*tables)

    def test_molten(self):
        path = self.folder / "molten.yaml"
        path.write_text(MELTING, encoding="utf-8")
        _, err = self.carom("run", path, code=3)
        self.assertRegex(err, r"element \d+ of body 'rod' has melted")

    def test_free_flight(self):
        """The correction of the conserving stress is a quotient of rounding errors where nothing is strained: one iteration
        finds a translation."""
        (self.folder / "flight.yaml").write_text(FLIGHT, encoding="utf-8")
        self.carom("run", "flight.yaml", "-q", "-o", "flight")
        summary = cli.result(self.folder / "flight")
        self.assertEqual(summary["solver"]["iterations"], summary["steps"])
        self.assertLess(summary["energy_error"], 1e-12)


if __name__ == "__main__":
    cli.main()
