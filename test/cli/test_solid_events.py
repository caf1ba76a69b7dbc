# SPDX-License-Identifier: MIT
"""Solids under loads and drives through the command: numerical events, restarts, threads, the columns of the ledger."""
import csv
import cli

# A block that is crushed by its lid, faster than sound can bring the news to the other side.
CRUSHED = """
integrator: newmark-dcr
time: {{end: 2, step: auto, safety: 0.8, on_event: {event}}}
bodies:
  - name: block
    mesh: {{box: {{from: [0, 0, 0], to: [1, 1, 1], elements: [3, 3, 3], cells: {cells}}}}}
    element: {cells}
    material: {{{material}: {{young: 100, poisson: 0.3, density: 1}}}}
restraints:
  - {{body: block, set: zmin, fix: xyz}}
  - {{body: block, set: zmax, fix: xyz, velocity: [0, 0, {speed}]}}
contact: false
output: {{fields: {{every: 0}}, history: {{every: 7}}}}
"""

# A block that is pressed slowly: its elements become thin and stiff.
PRESSED = """
integrator: newmark-dcr
time: {end: 12, step: auto, safety: 0.97}
bodies:
  - name: block
    mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [3, 3, 3]}}
    element: hex8
    material: {neo-hookean: {young: 100, poisson: 0.3, density: 1}}
    damping: {mass: 1}
restraints:
  - {body: block, set: zmin, fix: xyz}
  - {body: block, set: zmax, fix: xyz, velocity: [0, 0, -0.04], ramp: 1}
contact: false
output: {fields: {every: 0}, history: {every: 7}}
"""

# Everything that changes in time at once.
BUSY = """
integrator: newmark-dcr
time: {end: 2, step: auto, safety: 0.8}
bodies:
  - name: block
    mesh: {box: {from: [0, 0, 0], to: [2, 1, 1], elements: [6, 3, 3]}}
    element: hex8
    material: {neo-hookean: {young: 100, poisson: 0.3, density: 1}}
    damping: {mass: 0.1, stiffness: 0.002}
loads:
  - {body: block, set: xmax, pressure: 2, ramp: 0.5}
  - {body: block, set: ymax, pressure: 0.5, following: false}
  - {body: block, acceleration: [0, 0, -1], history: [[0, 0], [1, 1], [1.5, 0]]}
  - {body: block, on_plane: {point: [0, 1, 0], normal: [0, 1, 0]}, traction: [0, 0.1, 0]}
restraints:
  - {body: block, set: xmin, fix: xyz, velocities: [[0, 0, 0, 0], [1, 0.1, 0, 0], [2, 0, 0, 0]]}
contact: {friction: 0.3, planes: [{name: floor, point: [0, 0, -0.01], normal: [0, 0, 1]}]}
output: {fields: {every: 0}, history: {every: 1}}
"""


class SolidEvents(cli.CommandTest):
    def write(self, text, **fields):
        path = self.folder / "solid.yaml"
        path.write_text(text.format(**fields) if fields else text)
        return path

    def rows(self, directory="out"):
        with open(self.folder / directory / "history.csv", newline="") as file:
            return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]

    def test_inverted_element_stops(self):
        for material in ("neo-hookean", "st-venant-kirchhoff"):
            for cells in ("hex8", "tet4"):
                with self.subTest(material=material, cells=cells):
                    scene = self.write(CRUSHED, event="stop", cells=cells, material=material, speed=-2)
                    _, err = self.carom("run", scene, "-o", "out", "-q", code=3)
                    self.assertRegex(err, r"^carom: error: element \d+ of body 'block' is inside out at time 0\.\d+ "
                                          r"\(step \d+\); .*step \d+ is saved in out/checkpoint\.carom\n$")
                    summary = cli.result(self.folder / "out")
                    self.assertEqual(summary["events"]["inverted_element"], 1)
                    self.assertFalse(summary["completed"])
                    # what is shown is admissible
                    text = (self.folder / "out/history.csv").read_text()
                    self.assertNotRegex(text, "nan|inf")
                    self.assertGreater(len(text.splitlines()), 2)

    def test_inverted_element_warns(self):
        """The law of Saint Venant and Kirchhoff has an answer for every shape: the run goes on, and tells."""
        scene = self.write(CRUSHED, event="warn", cells="hex8", material="st-venant-kirchhoff", speed=-0.6)
        out, err = self.carom("run", scene, "-o", "out")
        summary = cli.result(self.folder / "out")
        self.assertTrue(summary["completed"])
        self.assertGreater(summary["events"]["inverted_element"], 0)
        self.assertIn(f"Numerical events: inverted_element {summary['events']['inverted_element']}", out)
        # without the answer it ends all the same
        scene = self.write(CRUSHED, event="warn", cells="hex8", material="neo-hookean", speed=-2)
        _, err = self.carom("run", scene, "-o", "out", "-q", code=3)
        self.assertRegex(err, r"element \d+ of body 'block' is inside out at time")

    def test_step_outgrown(self):
        _, err = self.carom("run", self.write(PRESSED), "-o", "out", code=3)
        self.assertRegex(err, r"compressed elements have made time\.step [\d.]+ larger than the stable step")
        self.assertNotRegex(err, "note: time.step")
        self.assertEqual(cli.result(self.folder / "out")["events"]["unstable_step"], 1)
        # a smaller step goes through
        self.carom("run", self.write(PRESSED), "-o", "out", "-q", "--set", "time.safety=0.4")
        self.assertEqual(sum(cli.result(self.folder / "out")["events"].values()), 0)

    def test_columns(self):
        scene = self.write(BUSY)
        out, _ = self.carom("run", scene, "-o", "out")
        self.assertIn("lost by damping", out)
        rows = self.rows()
        self.assertEqual(list(rows[0])[16:], ["penetration", "damping"])
        for row in rows:
            losses = row["friction"] + row["restitution"] + row["projection"] + row["damping"]
            self.assertAlmostEqual(row["total"] + losses - rows[0]["total"], row["residual"], delta=1e-12)
            self.assertGreaterEqual(row["damping"], 0)
        self.assertGreater(rows[-1]["damping"], 0)
        self.assertLess(cli.result(self.folder / "out")["momentum_drift"], 1e-13)
        # a body without damping has no such column, and the dump reads back as the same scene
        self.carom("run", scene, "-o", "out", "-q", "--set", "bodies[0].damping={}")
        self.assertEqual(list(self.rows()[0])[-1], "penetration")
        dump, _ = self.carom("run", scene, "--dump")
        again = self.folder / "again.yaml"
        again.write_text(dump)
        self.assertEqual(self.carom("run", again, "--dump")[0], dump)

    def test_same_bits(self):
        """For any number of threads, with or without output, and across a restart."""
        scene = self.write(BUSY)
        self.carom("run", scene, "-o", "out", "-q", "--threads", "1")
        whole = cli.result(self.folder / "out")["state_hash"]
        self.assertIn(whole, self.carom("run", scene, "--no-output")[0])
        # large enough for threads to share the work
        large = ("--set", "bodies[0].mesh.box.elements=[24,14,14]", "--set", "time.end=0.05")
        self.carom("run", scene, "-o", "out", "-q", "--threads", "1", *large)
        whole = cli.result(self.folder / "out")["state_hash"]
        for threads in (2, 3):
            self.assertIn(whole, self.carom("run", scene, "--no-output", "--threads", threads, *large)[0])
        half = ("--set", "output.checkpoint.every=13", "-o", "half", "-q")
        self.carom("run", scene, "--set", "time.step=0.0194", "-o", "out", "-q")
        whole = cli.result(self.folder / "out")["state_hash"]
        self.carom("run", scene, "--set", "time.step=0.0194", "--set", "time.end=1", *half)
        self.carom("run", scene, "--set", "time.step=0.0194", *half, "--resume")
        self.assertEqual(cli.result(self.folder / "half")["state_hash"], whole)


if __name__ == "__main__":
    cli.main()
