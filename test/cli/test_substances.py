# SPDX-License-Identifier: MIT
"""Substances of the library: the same rod in other units moves alike, and `carom info` tells the numbers and their source."""
import re

import cli

# A copper rod of 10 mm hits a wall at 20 m/s, in units of which a metre, a kilogram and a second are so many.
SCENE = """\
units: {{length: {length}, mass: {mass}, time: {time}}}
integrator: newmark-dcr
time: {{end: {end:.17g}, step: {step:.17g}}}
bodies:
  - name: rod
    mesh: {{line: {{from: [0, 0, 0], to: [{size:.17g}, 0, 0], elements: 10}}}}
    element: {{bar: {{area: {area:.17g}, strain: log}}}}
    material: {{use: copper-taylor}}
    velocity: [{velocity:.17g}, 0, 0]
contact: {{restitution: 0, planes: [{{name: wall, normal: [1, 0, 0], point: [{gap:.17g}, 0, 0]}}]}}
"""


class Substances(cli.CommandTest):
    def run_in(self, name, length, mass, time):
        sizes = {"m": 1, "mm": 1e3, "kg": 1, "t": 1e-3, "s": 1, "ms": 1e3}
        L, T = sizes[length], sizes[time]
        path = self.folder / f"{name}.yaml"
        path.write_text(SCENE.format(length=length, mass=mass, time=time, end=1e-5 * T, step=1e-7 * T, size=0.01 * L, area=1e-6 * L * L,
                                     velocity=-20 * L / T, gap=-1e-6 * L), encoding="utf-8")
        self.carom("run", path)
        summary = cli.result(self.folder / "out" / name)["ledger"]["last"]
        energy = sizes[mass] * L * L / (T * T)
        return {key: summary[key] / energy for key in ("kinetic", "internal", "plasticity", "restitution")}

    def test_units(self):
        known = self.run_in("si", "m", "kg", "s")
        self.assertGreater(known["plasticity"], 0)
        for name, units in (("tonnes", ("mm", "t", "s")), ("milliseconds", ("mm", "kg", "ms"))):
            found = self.run_in(name, *units)
            for key, value in known.items():
                self.assertAlmostEqual(found[key] / value, 1, delta=1e-9, msg=f"{name}: {key}")
        dump = (self.folder / "out" / "tonnes" / "scene.yaml").read_text(encoding="utf-8")
        self.assertRegex(dump, r"j2: \{young: 117000, poisson: 0.35, density: 8.93")

    def test_info(self):
        out, _ = self.carom("info", "materials")
        for name in ("copper-ofhc", "steel-304", "titanium-6al-4v", "polycarbonate", "rubber-natural", "viscoelastic"):
            self.assertRegex(out, rf"(?m)^  {re.escape(name)} ")
        out, _ = self.carom("info", "steel-304")
        self.assertIn("strength:", out)
        self.assertIn("Acta Materialia", out)
        _, err = self.carom("info", "steel-305", code=2)
        self.assertIn("steel-305", err)


if __name__ == "__main__":
    cli.main()
