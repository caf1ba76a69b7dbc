# SPDX-License-Identifier: MIT
"""Metal and rubber by `asynchronous`: as by newmark-dcr, with the same bits after a restart and whatever is written."""
import shutil

import cli

# A small Taylor bar, a quarter of it, with its finest bricks at the foot; a block that damps stands beside it and is hit by a sheet that flows.
SCENE = """\
integrator: {method}
time: {{end: 2.0e-5, step: auto}}
bodies:
  - name: rod
    mesh: {{box: {{from: [0, 0, 0], to: [0.003, 0.003, 0.012], elements: [2, 2, 6], grading: [1, 1, 2]}}}}
    element: {{hex8: {{integration: mean-dilatation}}}}
    material: {{j2: {{young: 117e9, poisson: 0.35, density: 8930, yield: 400e6, modulus: 100e6}}}}
    velocity: [0, 0, -150]
  - name: block
    mesh: {{box: {{from: [0.02, 0, 0], to: [0.024, 0.004, 0.004], elements: [2, 2, 2]}}}}
    element: hex8
    material: {{viscoelastic: {{young: 10e9, poisson: 0.35, density: 1000, prony: [[0.5, 2.0e-6], [0.2, 1.0e-5]]}}}}
  - name: sheet
    mesh: {{rectangle: {{from: [0.019, -0.001, 0.0045], to: [0.025, 0.005, 0.0045], columns: 4, rows: 4, cells: tri3}}}}
    element: {{loop-shell: {{thickness: 0.0004, layers: 3}}}}
    material: {{j2: {{young: 117e9, poisson: 0.35, density: 8930, yield: 100e6, modulus: 100e6}}}}
    velocity: [0, 0, -100]
restraints:
  - {{body: rod, on_plane: {{point: [0, 0, 0], normal: [1, 0, 0]}}, fix: x}}
  - {{body: rod, on_plane: {{point: [0, 0, 0], normal: [0, 1, 0]}}, fix: y}}
contact: {{restitution: 0, planes: [{{name: wall, normal: [0, 0, 1]}}]}}
output:
  history: {{every: 4}}
  fields: {{every: 0}}
  probes:
    - {{name: top, body: rod, nearest: {{to: [0, 0, 0.012]}}, record: [position]}}
    - {{name: foot, body: rod, nearest: {{to: [0.003, 0.003, 0]}}, record: [position]}}
"""

# A ball of metal between a floor and a heavy rigid block: its elements are crushed and become far stiffer.
CRUSHED = """\
integrator: asynchronous
time: {end: 0.3, step: 0.01}
bodies:
  - name: ball
    mesh: {ball: {center: [0, 0, 1.01], radius: 1, divisions: 2, layers: 1}}
    element: {hex8: {integration: mean-dilatation}}
    material: {j2: {young: 1000, poisson: 0.3, density: 1, yield: 5, hardening: johnson-cook, strength: 3, exponent: 0.5,
                    rate: 0.02, reference_rate: 1, melting: 1300, heat_capacity: 10}}
    velocity: [0.5, 0, -4]
  - name: block
    mesh: {box: {from: [-0.5, -0.5, 2.05], to: [0.5, 0.5, 3], elements: [1, 1, 1]}}
    element: {rigid: {density: 2}}
    velocity: [0, 0, -8]
contact: {restitution: 0, friction: 0.4, planes: [{name: floor, normal: [0, 0, 1]}]}
"""


class AsynchronousFlow(cli.CommandTest):
    def write(self, method):
        path = self.folder / f"{method}.yaml"
        path.write_text(SCENE.format(method=method), encoding="utf-8")
        return path

    def ends(self, directory):
        """Length and radius of the rod at the end."""
        lines = (self.folder / directory / "probes.csv").read_text().splitlines()
        row = dict(zip(lines[0].split(","), map(float, lines[-1].split(","))))
        return row["top.z"], row["foot.x"]

    def test_taylor(self):
        for method in ("newmark-dcr", "asynchronous"):
            self.carom("run", self.write(method), "-o", method)
        a, b = cli.result(self.folder / "asynchronous"), cli.result(self.folder / "newmark-dcr")
        for mine, other in zip(self.ends("asynchronous"), self.ends("newmark-dcr")):
            self.assertAlmostEqual(mine / other, 1, delta=0.003)
        self.assertGreater(self.ends("asynchronous")[1], 0.0033)
        for name in ("plasticity", "viscosity"):
            self.assertAlmostEqual(a["ledger"]["last"][name] / b["ledger"]["last"][name], 1, delta=0.01, msg=name)
        self.assertLess(a["energy_error"], 1e-3)

    def test_given_step(self):
        """A number for time.step is not the step of elements: these are divided; where that is switched off, the message says so."""
        scene = self.folder / "crushed.yaml"
        scene.write_text(CRUSHED, encoding="utf-8")
        self.carom("run", scene, "-o", "out")
        result = cli.result(self.folder / "out")
        self.assertLess(result["energy_error"], 1e-3)
        self.assertGreater(result["division"]["parts"], 0)
        _, err = self.carom("run", scene, "-q", "--no-output", "--set", "time.follow=false", code=3)
        self.assertIn("time.follow: true, or a smaller time.step", err)

    def test_same_bits(self):
        scene = self.write("asynchronous")
        self.carom("run", scene, "-o", "whole")
        whole = cli.result(self.folder / "whole")
        for sets in (["output.history.every=50", "output.fields.every=7"], ["output.history.every=1", "output.checkpoint.every=7"]):
            arguments = [word for value in sets for word in ("--set", value)]
            self.carom("run", scene, "-o", "other", *arguments)
            self.assertEqual(cli.result(self.folder / "other")["state_hash"], whole["state_hash"], sets)
            shutil.rmtree(self.folder / "other")

    def test_resume(self):
        """From a checkpoint in the middle of flow, while elements have steps that are divided or are on ticks."""
        scene = self.write("asynchronous")
        step = ["--set", "time.step=1.0e-7", "--set", "time.follow=true"]
        self.carom("run", scene, "-o", "whole", *step)
        self.carom("run", scene, "-o", "cut", "--set", "time.end=1.2e-5", "--set", "output.checkpoint.every=60", *step)
        self.carom("run", scene, "-o", "cut", "--resume", *step)
        self.assertEqual(cli.result(self.folder / "cut")["state_hash"], cli.result(self.folder / "whole")["state_hash"])
        for name in ("history.csv", "probes.csv"):
            self.assertEqual((self.folder / "cut" / name).read_bytes(), (self.folder / "whole" / name).read_bytes())


if __name__ == "__main__":
    cli.main()
