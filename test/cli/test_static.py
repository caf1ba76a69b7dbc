# SPDX-License-Identifier: MIT
"""Static analysis by the command: results, failures, refusals."""
import csv
import cli

SCENE = """\
analysis: {analysis}
bodies:
  - name: block
    mesh: {{rectangle: {{from: [0, 0, 0], to: [1, 1, 0], columns: 2, rows: 2}}}}
    element: {{quad4: {{thickness: 1, plane: strain}}}}
    material: {{st-venant-kirchhoff: {{young: 100, poisson: 0, density: 1}}}}
restraints: {restraints}
loads:
  - {{body: block, set: xmax, traction: [{traction}, 0, 0]}}
output:
  fields: {{every: 1}}
  probes: [{{name: end, body: block, set: xmax, record: [displacement]}}]
{more}
"""

ROLLERS = "[{body: block, set: xmin, fix: x}, {body: block, fix: y}]"


class Static(cli.CommandTest):
    def scene(self, analysis="{static: {steps: 4}}", restraints=ROLLERS, traction=-15, more=""):
        path = self.folder / "scene.yaml"
        text = SCENE.format(analysis=analysis, restraints=restraints, traction=traction, more=more)
        path.write_text(text, encoding="utf-8")
        return path

    def rows(self, name):
        with open(self.folder / "out" / name, encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_has_a_row_per_load_step_and_balanced_books(self):
        self.carom("run", self.scene(), "-o", self.folder / "out", "--quiet")
        rows = self.rows("history.csv")
        self.assertEqual([float(row["time"]) for row in rows], [0, 0.25, 0.5, 0.75, 1])
        # P = E F (F^2 - 1)/2 and W = E (F^2 - 1)^2/8
        for row, probe in zip(rows, self.rows("probes.csv")):
            stretch = 1 + float(probe["end.ux"])
            self.assertAlmostEqual(50 * stretch * (stretch ** 2 - 1), -15 * float(row["time"]), delta=1e-6)
            self.assertAlmostEqual(float(row["internal"]), 12.5 * (stretch ** 2 - 1) ** 2, delta=1e-6)
            self.assertEqual(float(row["kinetic"]), 0)
        summary = cli.result(self.folder / "out")
        self.assertEqual(summary["integrator"], "static")
        self.assertEqual(summary["steps"], 4)
        # the trapezoidal rule of the work: its error falls with the square of the step
        coarse = summary["energy_drift"]
        self.carom("run", self.scene("{static: {steps: 16}}"), "-o", self.folder / "out", "--quiet")
        fine = cli.result(self.folder / "out")["energy_drift"]
        self.assertLess(fine, coarse / 10)

    def test_keeps_the_last_equilibrium_of_a_run_that_stalls(self):
        _, error = self.carom("run", self.scene(traction=-25), "-o", self.folder / "out", "--quiet", code=3)
        self.assertRegex(error, r"no equilibrium beyond the load factor 0\.76\d*: .*(of body 'block'|singular)")
        self.assertIn("is saved in", error)
        last = float(self.rows("history.csv")[-1]["time"])
        self.assertAlmostEqual(last, 100 / (3 * 3 ** 0.5) / 25, delta=2 / 256 / 4)
        self.assertTrue((self.folder / "out" / "checkpoint.carom").exists())
        frames = (self.folder / "out" / "fields.pvd").read_text().count("<DataSet")
        self.assertEqual(frames, len(self.rows("history.csv")))

    def test_says_which_body_can_move(self):
        scene = self.scene(restraints="[{body: block, set: xmin, fix: x}]")
        _, error = self.carom("check", scene, code=2)
        self.assertRegex(error, r"scene\.yaml:1:\d+: error: analysis: body 'block' can move freely: nothing restrains its "
                                r"translation along \(0, 1, 0\)")

    def test_stands_for_integrator_and_time(self):
        _, error = self.carom("check", self.scene(more="time: {end: 1}"), code=2)
        self.assertIn("'time' has no place beside 'analysis'", error)
        _, error = self.carom("check", self.scene(more="integrator: newmark-dcr"), code=2)
        self.assertIn("'integrator' has no place beside 'analysis'", error)

    def test_wants_contact_off_between_bodies(self):
        more = "contact: {planes: [{name: floor, point: [0, -1, 0], normal: [0, 1, 0]}]}"
        _, error = self.carom("check", self.scene(more=more), code=2)
        self.assertIn("a static analysis has no contact between bodies", error)

    def test_its_scene_can_be_read_back(self):
        self.carom("run", self.scene(), "-o", self.folder / "out", "--quiet")
        text = (self.folder / "out" / "scene.yaml").read_text()
        self.assertIn("analysis:", text)
        self.assertNotIn("time:", text)
        self.carom("check", self.folder / "out" / "scene.yaml")


if __name__ == "__main__":
    cli.main()
