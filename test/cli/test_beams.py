# SPDX-License-Identifier: MIT
"""Beams and the multisymplectic integrator by the command: sections in the field files, same bits, resuming, refusals."""
import math
import shutil
import signal

import cli
from test_output_files import read_vtu

BEAM = """\
integrator: multisymplectic
time: {end: 0.3, step: 2.0e-4}
gravity: [0, 0, -10]
bodies:
  - name: beam
    mesh: {line: {from: [0, 0, 0.1], to: [1, 0, 0.3], elements: 6}}
    element: {exact-beam: {section: SECTION, axis: [0, 1, 0]}}
    material: {linear: {young: 1.0e+5, poisson: 0.3, density: 1000}}
    velocity: [0.1, 0.2, -1]
    spin: [0.3, 1, 2]
contact: {restitution: 1, planes: [{name: floor, normal: [0, 0, 1]}]}
output: {history: {every: 10}, fields: {every: 500}}
"""
SECTIONS = {"rectangle, width: 0.1, height: 0.06": 4, "circle, radius: 0.05": 16}


def distance(a, b):
    return math.dist(a, b)


class Beams(cli.CommandTest):
    def beam(self, section="rectangle, width: 0.1, height: 0.06", more=""):
        path = self.folder / "beam.yaml"
        path.write_text(BEAM.replace("SECTION", section) + more, encoding="utf-8")
        return path

    def test_sections(self):
        for section, ring in SECTIONS.items():
            self.carom("run", self.beam(section), "-o", "out")
            time, points, cells, arrays = read_vtu(sorted((self.folder / "out/fields").iterdir())[-1])
            self.assertAlmostEqual(time, 0.3)
            # nodes and rings; elements, caps and skin
            self.assertEqual((points, cells), (7 + 7 * ring, 6 + 2 + 6 * ring))
            self.assertEqual(sorted(set(arrays["Cells", "types"])), [3, 7, 9])
            self.assertEqual(sorted(set(arrays["Cells", "connectivity"])), list(range(points)))
            position, velocity = arrays["Points", "position"], arrays["PointData", "velocity"]
            for point in range(7, points):
                # a point of a section keeps its distance to its node, and lies across the third axis
                node = min(range(7), key=lambda k: distance(position[k], position[point]))
                arm = [a - b for a, b in zip(position[point], position[node])]
                turn = [a - b for a, b in zip(velocity[point], velocity[node])]
                reach = math.hypot(0.05, 0.03) if ring == 4 else 0.05
                self.assertAlmostEqual(math.hypot(*arm), reach, delta=1e-13)
                self.assertAlmostEqual(sum(a * b for a, b in zip(arm, arrays["PointData", "axis_3"][node])), 0, delta=1e-14)
                self.assertAlmostEqual(sum(a * b for a, b in zip(arm, turn)), 0, delta=1e-12)
            for name in ("curvature", "beam_strain", "moment", "force"):
                values = arrays["CellData", name]
                self.assertEqual(len(values), cells)
                self.assertEqual(len(set(values)), 6, "the skin shows what its element has")
            # what the floor gave is what the ledger says
            pushed = sum(impulse[2] for impulse in arrays["PointData", "impulse"][:7])
            self.assertGreater(pushed, 1)
            self.assertAlmostEqual(pushed, cli.result(self.folder / "out")["pairs"][0]["impulse"], delta=1e-12 * pushed)

    def test_conserved(self):
        out, _ = self.carom("run", self.beam(), "-o", "out")
        summary = cli.result(self.folder / "out")
        self.assertEqual(summary["conserved"], ["px", "py", "lz"])
        self.assertLess(summary["conserved_momentum_error"], 1e-13)
        self.assertLess(summary["conserved_angular_momentum_error"], 1e-13)
        self.assertIn("conserved: px, py, lz", out)
        self.assertIn("conserved: px, py, lz", self.carom("info", "out")[0])
        self.assertLess(summary["momentum_error"], 1e-12)
        self.assertLess(summary["angular_momentum_error"], 1e-12)

    def test_same_bits(self):
        scene = self.beam()
        sizes = ["--set", "bodies[0].mesh.line.elements=1200", "--set", "time.end=4.0e-4", "--set", "time.step=4.0e-6"]
        hashes = set()
        for threads in (1, 2, 3):
            self.carom("run", scene, "-o", "out", "--threads", threads, *sizes)
            hashes.add(cli.result(self.folder / "out")["state_hash"])
        self.assertEqual(len(hashes), 1)

    def test_resume(self):
        # frames and slabs, then ghosts
        tips = ["--set", "integrator={multisymplectic: {contact-integrator: 2}}", "--set", "contact.restitution=1",
                "--set", "bodies[1].element.bar.strain=small", "--set", "bodies[1].velocity=[-0.1, 0, 0]"]
        for scene, more in ((self.beam(), ["--set", "time.end=30"]),
                            (self.scene(end=2000, step=0.02, every=10), tips)):
            self.carom("run", scene, "-o", "whole", *more)
            process = self.start("run", scene, "-o", "cut", *more)
            history = self.folder / "cut/history.csv"
            cli.wait_for(lambda: history.exists() and history.read_bytes().count(b"\n") > 100 or process.poll() is not None)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=600)
            self.assertEqual(process.returncode, 130)
            self.carom("run", scene, "-o", "cut", "--resume", *more)
            whole, cut = cli.result(self.folder / "whole"), cli.result(self.folder / "cut")
            self.assertEqual(whole["state_hash"], cut["state_hash"])
            self.assertEqual((self.folder / "whole/history.csv").read_bytes(), history.read_bytes())
            shutil.rmtree(self.folder / "cut")

    def test_refusals(self):
        for change, says in {
            "integrator=newmark-dcr": "newmark-dcr does not support beams (rotational degrees of freedom)",
            "contact.restitution=0.5": "requires restitution: 1",
            "restraints=[{body: beam, set: start, fix: x}]": "cannot move: use fix: xyz",
            "bodies[0].element={exact-beam: {section: direct}}": "line_mass and line_inertia",
            "bodies[0].element={exact-beam: {section: circle}}": "a circle needs a radius",
            "integrator={multisymplectic: {contact_rule: kinked}}": "beams have no kinked slabs",
        }.items():
            _, err = self.carom("check", self.beam(), "--set", change, code=2)
            self.assertIn(says, err)

    def test_steps_too_long_for_the_printed_rule(self):
        _, err = self.carom("run", self.beam(), "-o", "out", "--set", "time.step=2.0e-3", code=2)
        self.assertIn("impacts of beams do not keep the energy at steps above", err)
        self.assertIn("contact_rule: printed accepts it", err)
        self.carom("run", self.beam(), "-o", "out", "--set", "time.step=2.0e-3", "--set", "time.end=0.1", "--set",
                   "integrator={multisymplectic: {contact_rule: printed}}")

    def test_clamp_and_hinge(self):
        for clamped in ("false", "true"):
            self.carom("run", self.beam(), "-o", "out", "--set",
                       f"restraints=[{{body: beam, set: end, fix: xyz, clamped: {clamped}}}]")
            _, _, _, arrays = read_vtu(sorted((self.folder / "out/fields").iterdir())[-1])
            self.assertEqual(arrays["PointData", "displacement"][6], (0, 0, 0))
            summary = cli.result(self.folder / "out")
            self.assertLess(summary["momentum_error"], 1e-12)
            self.assertLess(summary["angular_momentum_error"], 1e-12)
            self.assertEqual(summary["conserved"], [])


if __name__ == "__main__":
    cli.main()
