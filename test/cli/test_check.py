#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `carom check` and the head of a run tell of a scene: masses, sizes, waves, steps, output; remarks on units; solvers that
this program lacks."""
import re

import cli

BLOCK = """\
{units}integrator: newmark-dcr
time: {{end: {end}, step: auto}}
gravity: [0, 0, {gravity}]
bodies:
  - name: block
    mesh: {{box: {{from: [0, 0, 0], to: [{a}, {b}, {c}], elements: [4, 4, 4]}}}}
    element: hex8
    material: {{linear: {{young: {young}, poisson: 0, density: {density}}}}}
"""
STEEL = {"si": {"a": 0.1, "b": 0.2, "c": 0.3, "young": 2.1e11, "density": 7850, "gravity": -9.81, "end": 1e-4},
         "mm": {"a": 100, "b": 200, "c": 300, "young": 2.1e5, "density": 7.85e-9, "gravity": -9810, "end": 1e-4},
         "ms": {"a": 100, "b": 200, "c": 300, "young": 210, "density": 7.85e-6, "gravity": -9.81e-3, "end": 0.1}}
NAMES = {"si": "units: {length: m, mass: kg, time: s}\n", "mm": "units: {length: mm, mass: t, time: s}\n",
         "ms": "units: {length: mm, mass: kg, time: ms}\n"}
NUMBER = r"(-?[\d.]+(?:e[-+]\d+)?)"


class Check(cli.CommandTest):
    def block(self, kind="si", units=False, **changes):
        path = self.folder / "block.yaml"
        path.write_text(BLOCK.format(**{**STEEL[kind], "units": NAMES[kind] if units else "", **changes}), encoding="utf-8")
        return path

    def numbers(self, out, before, count):
        found = re.search(re.escape(before) + r"\[?" + ", ".join([NUMBER] * count), out)
        self.assertIsNotNone(found, (before, out))
        return [float(text) for text in found.groups()]

    def near(self, found, expected, part=2e-6):
        for a, b in zip(found, expected, strict=True):
            self.assertAlmostEqual(a, b, delta=part * max(map(abs, expected)))

    def test_closed_forms(self):
        """A block of 4 x 4 x 4 cells, masses at nodes: each side has m a^2/12 (1 + 2/16)."""
        out, err = self.carom("check", self.block())
        self.assertEqual(err, "")
        mass = 7850 * 0.006
        sides = [side ** 2 / 12 * 1.125 for side in (0.1, 0.2, 0.3)]
        self.near(self.numbers(out, "block: mass ", 1), [mass])
        self.assertIn("box [0, 0, 0] to [0.1, 0.2, 0.3]\n    mass centre [0.05, 0.1, 0.15]\n", out)
        self.near(self.numbers(out, "moments of inertia of the lumped masses ", 3),
                  [mass * (sides[0] + sides[1]), mass * (sides[0] + sides[2]), mass * (sides[1] + sides[2])])
        # a rigid block has the inertia of its shape
        path = self.block()
        path.write_text(re.sub(r"element: hex8\s+material: .*", "element: {rigid: {density: 7850}}",
                               path.read_text().replace("step: auto", "step: 1e-6")))
        rigid, _ = self.carom("check", path)
        self.near(self.numbers(rigid, "principal moments of inertia ", 3),
                  [mass * (a ** 2 + b ** 2) / 12 for a, b in ((0.1, 0.2), (0.1, 0.3), (0.2, 0.3))])
        speed = (2.1e11 / 7850) ** 0.5
        self.near([*self.numbers(out, " waves ", 1), *self.numbers(out, "shear waves ", 1)], [speed, speed / 2 ** 0.5], 1e-3)
        self.assertIn("125 nodes, 64 elements", out)
        # the run takes the steps and writes the rows that were told
        steps, step = re.search(rf"(\d+) steps of {NUMBER}", out).groups()
        rows, frames = re.search(r"output: (\d+) rows, (\d+) frames", out).groups()
        self.near([int(steps) * float(step)], [1e-4])
        told, _ = self.carom("run", self.block(), "-o", "out")
        self.assertIn(f" {steps} steps of {step},", told)
        self.assertIn(f"mass {mass:.6g}, box [0, 0, 0] to [0.1, 0.2, 0.3]\noutput: {rows} rows, {frames} frames", told)
        self.assertEqual(len((self.folder / "out/history.csv").read_text().splitlines()) - 1, int(rows))
        self.assertEqual(len(list((self.folder / "out/fields").glob("*.vtu"))), int(frames))
        # what is not written is not told
        told, _ = self.carom("run", self.block(), "--no-output")
        self.assertIn("to [0.1, 0.2, 0.3]\n", told)
        self.assertRegex(out, r"memory: about \S+ MB; time: (less than a second|about )")

    def test_units_are_named(self):
        out, err = self.carom("check", self.block("mm", units=True))
        self.assertEqual(err, "")
        self.assertIn("mass 0.0471 t,", out)
        self.assertIn("to [100, 200, 300] mm\n    mass centre [50, 100, 150] mm\n", out)
        self.assertRegex(out, r"waves 5.172e\+06 mm/s")

    def test_materials_move_the_mass_centre(self):
        path = self.block(a=2, b=1, c=1)
        text = path.read_text() + ("    materials: [{in_box: {low: [1, 0, 0], high: [2, 1, 1]},"
                                   " material: {linear: {young: 2.1e11, poisson: 0, density: 23550}}}]\n")
        path.write_text(text)
        out, _ = self.carom("check", path)
        # halves of masses 1 and 3, of two cells each with centres at 0.5 and 1.5
        self.near(self.numbers(out, "mass centre ", 3), [1.25, 0.5, 0.5])
        self.near(self.numbers(out, "mass ", 1), [7850 * 4])

    def test_many_bodies(self):
        path = self.block()
        path.write_text(path.read_text() + "    array: {copies: [10, 10, 10], spacing: [1, 1, 1]}\n")
        out, err = self.carom("check", path)
        self.assertEqual(err, "")
        self.assertLess(len(out.splitlines()), 40)
        self.assertIn("  block_0: mass 47.1,", out)
        self.assertIn("and 996 others, of mass 47.1 to 47.1\n", out)
        self.near(self.numbers(out, "all 1000 bodies: mass ", 1), [47100])
        self.assertIn("box [0, 0, 0] to [9.1, 9.2, 9.3]\n    mass centre [4.55, 4.6, 4.65]\n", out)

    def test_the_element_that_decides(self):
        path = self.block()
        path.write_text(path.read_text().replace("elements: [4, 4, 4]", "elements: [4, 1, 1], grading: [2, 1, 1]"))
        out, _ = self.carom("check", path)
        self.assertIn("shortest in element 0 of 'block' at [0.003125, 0.1, 0.15]\n", out)

    def test_good_units(self):
        for kind in STEEL:
            for units in (False, True):
                _, err = self.carom("check", self.block(kind, units))
                self.assertEqual(err, "", kind)

    def test_mixed_units(self):
        slips = (
            ("mm", {"density": 7850}, "density: 7850 is probably in kg/m3, but lengths in mm"),
            ("si", {"a": 100, "b": 200, "c": 300}, "density: 7850 is probably in kg/m3, and young in Pa, but lengths in mm"),
            ("si", {"young": 2.1e5}, "young: 210000 is probably in MPa, but the density in kg/m3"),
            ("mm", {"young": 2.1e11}, "young: 2.1e+11 is probably in Pa, but the density in t/mm3"),
            ("ms", {"young": 2.1e5}, "density: 7.85e-06 is probably in kg/mm3, but young in MPa"),
            ("mm", {"gravity": -9.81}, "gravity: 9.81 is probably in m/s2, but the density in t/mm3"),
            ("si", {"gravity": -9810}, "gravity: 9810 is probably in mm/s2, but the density in kg/m3"),
        )
        for kind, changes, text in slips:
            path = self.block(kind, **changes)
            for command in (["check"], ["run", "--no-output", "--set", "time.end=1e-9", "--set", "time.step=1e-9"]):
                _, err = self.carom(command[0], path, *command[1:])
                self.assertIn(text, err)
                self.assertRegex(err.splitlines()[0], r"block\.yaml:\d+:\d+: note: ")
                self.assertEqual(err.count("is probably in"), 1, err)

    def test_named_units(self):
        cases = (
            ("mm", {"density": 7850}, r"density: 7850 t/mm3 is 7.85e\+15 kg/m3, like no substance: steel has 7.85e-09 in"),
            ("mm", {"young": 2.1e11}, r"young: 2.1e\+11 in mm, t, s is 2.1e\+17 Pa, like no substance: steel has 2.1e\+05 in"),
            ("si", {"gravity": -9810}, r"gravity: 9810 m/s2 is 9.81e\+03 m/s2: on earth it is 9.81 in these units"),
            ("ms", {"gravity": -9.81}, r"gravity: 9.81 mm/ms2 is 9.81e\+03 m/s2: on earth it is 0.00981 in these units"),
            ("si", {"density": 2, "young": 1e12}, r"young: with a density of 2 waves run at 7.07e\+05 m/s"),
        )
        for kind, changes, text in cases:
            _, err = self.carom("check", self.block(kind, units=True, **changes))
            self.assertRegex(err, r"block\.yaml:\d+:\d+: note: .*" + text)
            self.assertEqual(len(err.splitlines()), 1, err)
        # ballast, and the softest gels, are no slips
        for changes in ({"density": 1.7e5}, {"density": 1, "young": 100}):
            _, err = self.carom("check", self.block("si", units=True, **changes))
            self.assertEqual(err, "", changes)
        _, err = self.carom("check", self.block("si", units=True, density=4e5))
        self.assertIn("density: 400000 kg/m3 is like no substance", err)
        # names that nobody knows are labels only
        path = self.block("mm", units=True, density=7850)
        path.write_text(path.read_text().replace("mass: t", "mass: jin"))
        _, err = self.carom("check", path)
        self.assertEqual(err, "")

    def test_yield_beside_young(self):
        for units in (False, True):
            for value, text in ((250e6, None), (250, "yield: 250 is 1.2e-09 of young, 2.1e+11"), (5e11, "of young, 2.1e+11: metals yield")):
                path = self.block("si", units=units)
                path.write_text(re.sub(r"material: \{[a-z-]+: \{", f"material: {{j2: {{yield: {value:g}, ", path.read_text()).replace(
                    "element: hex8", "element: {hex8: {integration: mean-dilatation}}"))
                _, err = self.carom("check", path)
                self.assertRegex(err, r"block\.yaml:\d+:\d+: note: .*" + re.escape(text)) if text else self.assertEqual(err, "")

    def test_each_remark_once(self):
        path = self.block("mm", density=7850)
        path.write_text(path.read_text() + path.read_text().split("bodies:\n")[1].replace("block", "other").replace(
            "from: [0, 0, 0], to: [100", "from: [200, 0, 0], to: [300"))
        _, err = self.carom("check", path)
        self.assertEqual(err.count("is probably in"), 1)
        self.assertIn("bodies[0]", err)

    def test_petsc(self):
        """A scene for carom-mpi can be checked by carom, which does not run it."""
        path = self.block()
        path.write_text(path.read_text().replace("newmark-dcr", "{energy-momentum: {solver: petsc}}") + "contact: false\n")
        out, err = self.carom("check", path)
        self.assertIn("block.yaml: ok", out)
        self.assertIn("mass 47.1", out)
        self.assertRegex(err, r"^carom: note: this program cannot run the scene: solver: petsc is in carom-mpi only.*\n$")
        out, err = self.carom("run", path, "-o", "out", code=2)
        self.assertRegex(err, r"^carom: error: solver: petsc is in carom-mpi only.*\n$")
        self.assertEqual(out, "")
        self.assertFalse((self.folder / "out").exists())

    def test_a_run_that_would_be_refused(self):
        out, err = self.carom("check", self.block(), "--set", "time.step=1e-6", "--set", "time.end=1e-7")
        self.assertIn("a run would be refused: time.step: 1e-06 is larger than time.end, 1e-07", err)

    def test_static(self):
        """Without a guess of the time, which depends on how Newton's method fares."""
        path = self.block(gravity=-1)
        path.write_text(path.read_text().replace("integrator: newmark-dcr", "analysis: static").replace(
            "time: {end: 0.0001, step: auto}\n", "") + "restraints: [{body: block, set: zmin, fix: xyz}]\n")
        out, err = self.carom("check", path)
        self.assertEqual(err, "")
        self.assertRegex(out, r"\n  1 load step\n  output: 2 rows, 2 frames .*\n  memory: \S+ MB without the matrices of the solver\n$")

    def test_a_mesh_is_no_scene(self):
        path = self.folder / "part.msh"
        self.carom("mesh", "box: {from: [0, 0, 0], to: [1, 1, 1], elements: [1, 1, 1]}", "-o", path)
        for command in ("check", "run"):
            _, error = self.carom(command, path, code=2)
            self.assertIn("part.msh:1:1: error: this is probably a mesh and not a scene (`mesh: {file: {path: part.msh}}` of a "
                          "body reads it)", error)


if __name__ == "__main__":
    cli.main()
