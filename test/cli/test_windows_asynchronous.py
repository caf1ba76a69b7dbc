# SPDX-License-Identifier: MIT
"""Restraints that hold for a time by `asynchronous`: let go, caught, driven; second order, momenta, same bits, contact."""
import cli

# Hung up, let go, pushed to the side for a while, caught at the lower end. Cells of different size: steps differ.
HANDED = """\
integrator: asynchronous
time: {end: 1.2, step: 0.02}
gravity: [0, 0, -1]
contact: false
bodies:
  - name: bar
    mesh: {box: {from: [0, 0, 0], to: [0.3, 0.3, 1], elements: [2, 2, 8], grading: [1, 1, 1.4]}}
    element: hex8
    material: {neo-hookean: {young: 100, poisson: 0.3, density: 1}}
restraints:
  - {body: bar, set: zmax, fix: xyz, until: 0.4}
  - {body: bar, set: zmin, fix: z, from: 0.8}
  - {body: bar, set: xmin, fix: x, velocity: [0.5, 0, 0], from: 0.48, until: 0.72}
loads: [{body: bar, set: ymax, force: [0, 0.01, 0], ramp: 0.1}]
output:
  fields: {every: 0}
  history: {every: 1}
  probes:
    - {name: top, body: bar, set: zmax, record: [position]}
    - {name: bottom, body: bar, set: zmin, record: [position]}
    - {name: side, body: bar, set: xmin, record: [position]}
"""

# A block is held above a table, and another one on it, until both are let go.
DROP = """\
integrator: {asynchronous: {beta: 0.1}}
time: {end: 0.08, step: 0.0005}
gravity: [0, 0, -9.81]
contact: {friction: 0.3}
bodies:
  - name: block
    mesh: {box: {from: [-0.02, -0.02, 0.005], to: [0.02, 0.02, 0.035], elements: [3, 3, 3], grading: [1, 1, 2]}}
    element: hex8
    material: {neo-hookean: {young: 2.0e+6, poisson: 0.3, density: 2700}}
  - name: table
    mesh: {rectangle: {from: [-0.2, -0.2, 0], to: [0.2, 0.2, 0], columns: 2, rows: 2}}
    obstacle: {}
restraints: [{body: block, fix: xyz, until: 0.01}]
output: {fields: {every: 0}, history: {every: 1}, probes: [{name: block, body: block, record: [position]}]}
"""

# A rigid body pulls by a spring at a node of a soft one, which is caught there.
SPRUNG = """\
integrator: asynchronous
time: {end: 0.4, step: 0.01}
contact: false
bodies:
  - name: free
    mesh: {box: {from: [1, -0.1, 1], to: [1.2, 0.1, 1.2], elements: [2, 2, 2]}}
    element: {rigid: {mass: 0.5}}
    velocity: [0, 0, 3]
  - name: soft
    mesh: {box: {from: [1.5, -0.1, 0.4], to: [1.9, 0.3, 0.8], elements: [2, 3, 4]}}
    element: hex8
    material: {neo-hookean: {young: 5000, poisson: 0.2, density: 30}}
springs: [{from: {body: free, point: [1.2, 0.1, 1]}, to: {body: soft, point: [1.5, -0.1, 0.8]}, stiffness: 300, length: 0.3}]
restraints: [{body: soft, set: xmin, fix: xyz, from: 0.2}, {body: soft, set: xmax, fix: z}]
output: {fields: {every: 0}, history: {every: 1}, probes: [{name: free, body: free, record: [position]}]}
"""


class Windows(cli.SceneTest):
    def test_order(self):
        """Places and books are of second order in all steps; momenta balance."""
        _, exact = self.by(HANDED, "exact", "time.step=0.0005", "integrator=newmark-dcr", "output.history.every=40")
        residuals, errors = [], []
        for beta in (0.4, 0.2, 0.1):
            summary, rows = self.by(HANDED, f"b{beta}", f"integrator={{asynchronous: {{beta: {beta}}}}}",
                                    f"time.step={0.1 * beta}")
            self.assertLess(max(summary["momentum_error"], summary["angular_momentum_error"]), 1e-13)
            residuals.append(max(map(abs, rows["residual"])))
            errors.append(max(abs(rows[c][-1] - exact[c][-1]) for c in ("top.x", "top.z", "bottom.x", "side.z")))
        self.assertLess(residuals[0], 2e-3 * 0.09 * 0.5)
        for coarse, fine in zip(residuals, residuals[1:]):
            self.assertGreater(coarse / fine, 3.5)
        self.assertGreater(errors[0] / errors[2], 10)
        self.assertLess(errors[2], 2e-4)

    def test_caught_with_a_spring(self):
        """What a spring has still to give to a node that is caught belongs to the catch: the books are of second order."""
        residuals = []
        for beta in (0.2, 0.1, 0.05):
            _, rows = self.by(SPRUNG, f"s{beta}", f"integrator={{asynchronous: {{beta: {beta}}}}}", f"time.step={0.02 * beta}")
            residuals.append(max(map(abs, rows["residual"])))
        for coarse, fine in zip(residuals, residuals[1:]):
            self.assertGreater(coarse / fine, 3.5)

    def test_held_and_driven(self):
        """While a restraint holds, its nodes are where it says, to the last bits."""
        _, rows = self.by(HANDED, "held")
        at = {round(t, 9): i for i, t in enumerate(rows["time"])}
        self.assertEqual(set(rows["top.z"][:at[0.4] + 1]), {1.0})
        self.assertLess(rows["top.z"][at[0.42]], 1)
        self.assertAlmostEqual(rows["side.x"][at[0.72]] - rows["side.x"][at[0.48]], 0.5 * 0.24, delta=1e-14)
        self.assertLess(max(rows["bottom.z"][at[0.8]:]) - min(rows["bottom.z"][at[0.8]:]), 1e-14)

    def test_same_bits(self):
        """Threads, and restarts before and after each change."""
        self.same_bits(HANDED, (1, 2, 3, 8), (0.3, 0.4, 0.5, 0.72, 0.8))

    def test_drop(self):
        """A block that is let go falls freely, and lies on the table at last."""
        summary, rows = self.by(DROP, "drop")
        for t, z in zip(rows["time"], rows["block.z"]):
            if t < 0.04:
                self.assertAlmostEqual(z, 0.02 - 0.5 * 9.81 * max(0, t - 0.01) ** 2, delta=1e-6)
        pair = summary["pairs"][0]
        self.assertAlmostEqual(pair["first_contact"], 0.01 + (2 * 0.005 / 9.81) ** 0.5, delta=3e-4)
        self.assertEqual(summary["intersections"], 0)
        self.assertLess(summary["momentum_error"], 1e-13)
        self.assertLess(summary["energy_error"], 1e-3)


class ShortWindows(cli.CommandTest):
    def test_window_without_the_middle_of_a_step(self):
        """It would never hold: refused, by both methods that take windows; a smaller step has one."""
        scene = self.folder / "handed.yaml"
        for method in ("asynchronous", "newmark-dcr"):
            scene.write_text(HANDED.replace("asynchronous", method), encoding="utf-8")
            words = ("--set", "restraints[2].from=0.5021", "--set", "restraints[2].until=0.5059", "--set", "time.end=0.6")
            _, error = self.carom("run", scene, "--no-output", *words, "--set", "time.step=0.004", code=2)
            self.assertIn("restraints[2]: the window from 0.5021 until 0.5059 contains no midpoint of a step of "
                          "0.004, so it would have no effect; use a smaller time.step", error)
            self.carom("run", scene, "--no-output", *words, "--set", "time.step=0.001")
            self.carom("run", scene, "--no-output", *words, "--set", "restraints[2].until=0.5061", "--set", "time.step=0.004")


if __name__ == "__main__":
    cli.main()
