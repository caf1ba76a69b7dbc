# SPDX-License-Identifier: MIT
"""Solids under loads and drives through the command: numerical events, restarts, threads, the columns of the ledger."""
import csv
import re
import cli

# A block that is crushed by its lid, faster than sound can bring the news to the other side.
CRUSHED = """
integrator: newmark-dcr
time: {{end: 2, step: auto, safety: 0.8, follow: "false", on_event: {event}}}
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
time: {end: 12, step: auto, safety: 0.97, follow: "false"}
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

# A tapered brick with one point, whose mean deformation is inside out before the one at its centre is.
TAPERED = """
integrator: newmark-dcr
time: {{end: 1.15, step: 0.001}}
bodies:
  - name: brick
    mesh: {{file: {{path: taper.msh}}}}
    element: {{hex8: {{integration: one-point}}}}
    material: {{{material}: {{young: 1, poisson: 0.3, density: 1000000}}}}
restraints:
  - {{body: brick, on_plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}, fix: xyz}}
  - {{body: brick, in_box: {{low: [-0.6, -0.6, 0.9], high: [-0.4, 0.6, 1.1]}}, fix: xyz}}
  - {{body: brick, in_box: {{low: [0.4, -0.6, 0.9], high: [0.6, 0.6, 1.1]}}, fix: xyz, velocity: [-1, 0, 0]}}
output: {{history: {{every: 10}}}}
contact: {{self: false}}
"""

# A rubber that is drawn beyond its limit of extension.
STRAP = """
integrator: newmark-dcr
time: {end: 1, step: 0.001, follow: false}
bodies:
  - name: strap
    mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [1, 1, 2]}}
    element: hex8
    material: {gent: {shear: 1, limit: 1, bulk: 10, density: 1}}
restraints:
  - {body: strap, set: zmin, fix: xyz}
  - {body: strap, set: zmax, fix: xyz, velocity: [0, 0, 5]}
"""

TAPER = """$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
8
1 -0.1 -0.1 0
2 0.1 -0.1 0
3 0.1 0.1 0
4 -0.1 0.1 0
5 -0.5 -0.5 1
6 0.5 -0.5 1
7 0.5 0.5 1
8 -0.5 0.5 1
$EndNodes
$Elements
1
17 5 2 1 1 1 2 3 4 5 6 7 8
$EndElements
"""

# A sheet that is pulled to both sides until it has no thickness without stress.
SHEET = """
integrator: newmark-dcr
time: {{end: 1, step: 0.001}}
bodies:
  - name: sheet
    mesh: {{rectangle: {{from: [0, 0, 0], to: [1, 1, 0], columns: 1, rows: 1}}}}
    element: {{quad4: {{plane: stress}}}}
    material: {{{material}: {{young: 1, poisson: 0.3, density: 1}}}}
restraints:
  - {{body: sheet, set: xmin, fix: x}}
  - {{body: sheet, set: ymin, fix: y}}
  - {{body: sheet, set: xmax, fix: x, velocity: [1, 0, 0]}}
  - {{body: sheet, set: ymax, fix: y, velocity: [0, 1, 0]}}
output: {{history: {{every: 10}}, fields: {{every: 0}}}}
"""

# A block pressed or pulled within few steps; the step is outgrown before a look that comes by the clock.
HURRIED = """
integrator: newmark-dcr
time: {{end: 60, step: auto, follow: "false"}}
bodies:
  - name: block
    mesh: {{box: {{from: [0, 0, 0], to: [4, 1, 1], elements: [8, 2, 2]}}}}
    element: hex8
    material: {{{material}: {{young: 1, poisson: {poisson}, density: 1}}}}
restraints:
  - {{body: block, in_box: {{low: [-1, -1, -1], high: [{held}, 2, 2]}}, fix: xyz}}
  - {{body: block, set: xmax, fix: xyz, velocity: [{speed}, 0, 0], ramp: 5}}
  - {{body: block, in_box: {{low: [2.2, -1, -1], high: [3.9, 2, 2]}}, fix: yz}}
output: {{history: {{every: 5}}, fields: {{every: 0}}}}
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


# A soft ball of `nodal`, hit so hard that cells fold while the patches around their nodes do not.
FOLDED = """
integrator: newmark-dcr
time: {end: 0.02, step: 2.0e-4, follow: "false"}
bodies:
  - name: ball
    mesh: {ball: {center: [0, 0, 0.251], radius: 0.25, divisions: 4, layers: 2, cells: tet4}}
    element: nodal
    material: {neo-hookean: {young: 1.0e5, poisson: 0.4, density: 1000}}
    velocity: [0, 0, -9.9]
contact: {restitution: 0, planes: [{name: floor, normal: [0, 0, 1]}]}
output: {fields: {every: 0}}
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

    def test_patches_inside_out(self):
        """Patches of `nodal` have the barrier: they count, and cells that fold for a moment do not."""
        (self.folder / "folded.yaml").write_text(FOLDED)
        self.carom("run", "folded.yaml", "-o", "out", "-q")
        self.assertEqual(cli.result(self.folder / "out")["events"]["inverted_element"], 0)
        crushed = CRUSHED.replace("element: {cells}", "element: nodal")
        scene = self.write(crushed, event="stop", cells="tet4", material="neo-hookean", speed=-30)
        _, err = self.carom("run", scene, "-o", "out", "-q", code=3)
        # 162 cells, then the patches
        number = re.match(r"carom: error: element (\d+) of body 'block' is inside out", err)
        self.assertGreaterEqual(int(number[1]), 162)

    def test_step_outgrown(self):
        _, err = self.carom("run", self.write(PRESSED), "-o", "out", code=3)
        self.assertRegex(err, r"deformed elements have made time\.step [\d.]+ larger than the stable step")
        self.assertNotRegex(err, "note: time.step")
        self.assertEqual(cli.result(self.folder / "out")["events"]["unstable_step"], 1)
        # a smaller step goes through
        self.carom("run", self.write(PRESSED), "-o", "out", "-q", "--set", "time.safety=0.4")
        self.assertEqual(sum(cli.result(self.folder / "out")["events"].values()), 0)

    def test_step_outgrown_quickly(self):
        for fields in (dict(material="neo-hookean", poisson=0.3, held=0.1, speed=-0.06),
                       dict(material="st-venant-kirchhoff", poisson=0, held=2.1, speed=0.1)):
            with self.subTest(**fields):
                _, err = self.carom("run", self.write(HURRIED, **fields), "-o", "out", "-q", code=3)
                self.assertRegex(err, r"deformed elements have made time\.step [\d.]+ larger than the stable step")
                self.assertEqual(cli.result(self.folder / "out")["events"]["unstable_step"], 1)

    def test_one_point_inside_out(self):
        (self.folder / "taper.msh").write_text(TAPER)
        for material in ("neo-hookean", "st-venant-kirchhoff"):
            with self.subTest(material=material):
                _, err = self.carom("run", self.write(TAPERED, material=material), "-o", "out", "-q", code=3)
                self.assertIn("element 17 of body 'brick' is inside out at time 1.1", err)
                self.assertEqual(cli.result(self.folder / "out")["events"]["inverted_element"], 1)
                self.assertNotRegex((self.folder / "out/history.csv").read_text(), "nan|inf")

    def test_law_without_an_answer(self):
        """Not inverted: the element is named all the same."""
        (self.folder / "strap.yaml").write_text(STRAP)
        _, err = self.carom("run", "strap.yaml", "-o", "out", "-q", code=3)
        self.assertRegex(err, r"velocities are not finite at time 0\.\d+ \(step \d+\): element \d+ of body 'strap' is deformed beyond")
        self.assertEqual(cli.result(self.folder / "out")["events"]["not_finite"], 1)

    def test_sheet_without_thickness(self):
        """St. Venant and Kirchhoff: F33^2 = 1 - 2 nu/(1 - nu) (s^2 - 1) ends at s = sqrt(1 + (1 - nu)/(2 nu)), 1.472."""
        _, err = self.carom("run", self.write(SHEET, material="st-venant-kirchhoff"), "-o", "out", "-q", code=3)
        self.assertIn("element 0 of body 'sheet' is inside out at time 0.47", err)
        # the linear law goes on: E/(1 - nu) e^2 per volume, with e = 1
        self.carom("run", self.write(SHEET, material="linear"), "-o", "out", "-q")
        self.assertAlmostEqual(self.rows()[-1]["internal"], 1 / 0.7, delta=1e-9)
        self.carom("run", self.write(SHEET, material="neo-hookean"), "-o", "out", "-q")
        self.assertLess(cli.result(self.folder / "out")["energy_error"], 1e-5)

    def test_energy_scale(self):
        """A load that has hardly begun does not count with its later size."""
        scene = self.write(BUSY)
        more = ("--set", "bodies[0].damping={}", "--set", "restraints=[]", "--set", "contact=false", "--set", "time.end=0.5",
                "--set", "loads=[{body: block, set: xmax, traction: [1, 0, 0], ramp: 1000}]")
        self.carom("run", scene, "-o", "out", "-q", *more)
        largest = max(max(row["kinetic"] + row["internal"], abs(row["external"])) for row in self.rows())
        self.assertAlmostEqual(cli.result(self.folder / "out")["scales"]["energy"] / largest, 1, delta=1e-12)
        # what is not asked for is not written either
        self.assertNotIn("following", (self.folder / "out/scene.yaml").read_text())

    def test_notes(self):
        scene = self.write(BUSY)
        out, err = self.carom("run", scene, "--no-output", "--threads", "2", "--set", "time.end=0.1",
                              "--set", "bodies[0].damping.stiffness=0.1")
        self.assertIn(", 1 thread\n", out)
        self.assertRegex(err, r"note: damping\.stiffness makes the stable step 0\.00\d+ instead of 0\.0\d+\n")
        out, err = self.carom("run", scene, "--no-output", "--threads", "2", "--set", "time.end=0.01",
                              "--set", "bodies[0].mesh.box.elements=[24,14,14]")
        self.assertIn(", 2 threads\n", out)
        self.assertNotIn("damping", err)

    def test_columns(self):
        scene = self.write(BUSY)
        out, _ = self.carom("run", scene, "-o", "out")
        self.assertIn("lost by damping", out)
        rows = self.rows()
        scale = max(row["kinetic"] + row["internal"] for row in rows)
        self.assertEqual(list(rows[0])[16:], ["penetration", "oscillation", "damping", "energy_ratio", *(f"block.{name}" for name in cli.PEAKS)])
        for row in rows:
            losses = row["friction"] + row["restitution"] + row["projection"] + row["damping"]
            explained = row["oscillation"] + rows[0]["total"]
            self.assertAlmostEqual(row["total"] + losses - explained, row["residual"], delta=1e-12)
            # a body in free flight is damped by the rounding of its forces, of either sign
            self.assertGreaterEqual(row["damping"], -1e-15 * scale)
        self.assertGreater(rows[-1]["damping"], 0)
        self.assertLess(cli.result(self.folder / "out")["momentum_error"], 1e-13)
        # a body without damping has no such column, and the dump reads back as the same scene
        self.carom("run", scene, "-o", "out", "-q", "--set", "bodies[0].damping={}")
        self.assertEqual(list(self.rows()[0])[17], "oscillation")
        self.assertNotIn("damping", self.rows()[0])
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
        large += ("--set", "output.fields.every=1000")
        self.carom("run", scene, "-o", "out", "-q", "--threads", "1", *large)
        whole = cli.result(self.folder / "out")["state_hash"]
        # what is written as well
        self.carom("run", scene, "-o", "shared", "-q", "--threads", "2", *large)
        frames = sorted(path.relative_to(self.folder / "out") for path in (self.folder / "out").glob("fields/*.vtu"))
        self.assertGreaterEqual(len(frames), 2)
        for name in ["history.csv", *frames]:
            self.assertEqual((self.folder / "shared" / name).read_bytes(), (self.folder / "out" / name).read_bytes(), name)
        for threads in (2, 3, 8):
            self.assertIn(whole, self.carom("run", scene, "--no-output", "--threads", threads, *large)[0])
        half = ("--set", "output.checkpoint.every=13", "-o", "half", "-q")
        self.carom("run", scene, "--set", "time.step=0.0194", "-o", "out", "-q")
        whole = cli.result(self.folder / "out")["state_hash"]
        self.carom("run", scene, "--set", "time.step=0.0194", "--set", "time.end=1", *half)
        self.carom("run", scene, "--set", "time.step=0.0194", *half, "--resume")
        self.assertEqual(cli.result(self.folder / "half")["state_hash"], whole)


class Conserved(cli.CommandTest):
    def test_law_that_does_not_follow_rotations(self):
        """The angular momentum of bodies of the law `linear` is not kept, and not said to be."""
        text = """\
integrator: newmark-dcr
time: {{end: 0.2, step: auto}}
bodies:
  - name: block
    mesh: {{box: {{from: [0, 0, 0], to: [1, 0.5, 0.3], elements: [3, 2, 2], cells: {cells}}}}}
    element: {element}
    material: {{{law}: {{young: 100, poisson: 0.3, density: 1}}}}
    spin: [0, 0, 0.5]
"""
        path = self.folder / "scene.yaml"
        for element, cells in (("tet4", "tet4"), ("hex8", "hex8"), ("nodal", "hex8")):
            for law in ("linear", "neo-hookean"):
                with self.subTest(f"{element} of {law}"):
                    path.write_text(text.format(element=element, cells=cells, law=law), encoding="utf-8")
                    self.carom("run", path, "-q", "-o", "out")
                    turns = [] if law == "linear" else ["lx", "ly", "lz"]
                    self.assertEqual(cli.result(self.folder / "out")["conserved"], ["px", "py", "pz"] + turns)


if __name__ == "__main__":
    cli.main()
