# SPDX-License-Identifier: MIT
"""Elastic parts glued to rigid bodies: momenta, energies, the frequency of a mass on a bar, same bits."""

import math

import cli

# A ball strikes a wing beside the seam, where faces have nodes of the core and free ones.
WINGS = """
integrator: newmark-dcr
time: {end: 0.012, step: 3.0e-5}
contact: {restitution: 1, friction: 0}
bodies:
  - name: core
    mesh: {box: {from: [-0.1, -0.1, -0.1], to: [0.1, 0.1, 0.1], elements: [2, 2, 2]}}
    element: {rigid: {density: 2000}}
    velocity: [0.1, 0, 0.2]
  - name: left
    mesh: {box: {from: [-0.5, -0.08, -0.03], to: [-0.1, 0.08, 0.03], elements: [8, 3, 2]}}
    element: hex8
    material: {neo-hookean: {young: 5.0e6, poisson: 0.3, density: 1000}}
    velocity: [0.1, 0, 0.2]
  - name: right
    mesh: {box: {from: [0.1, -0.08, -0.03], to: [0.5, 0.08, 0.03], elements: [7, 3, 2]}}
    element: hex8
    material: {neo-hookean: {young: 5.0e6, poisson: 0.3, density: 1000}}
    velocity: [0.1, 0, 0.2]
  - name: ball
    mesh: {ball: {center: [0.16, 0.05, 0.09], radius: 0.05, divisions: 2, layers: 2}}
    element: hex8
    material: {neo-hookean: {young: 5.0e7, poisson: 0.3, density: 2000}}
    velocity: [0, 0, -10]
tied:
  - {from: {body: left, set: xmax}, to: {body: core, set: xmin}}
  - {from: {body: core, set: xmax}, to: {body: right, set: xmin}}
output: {fields: {every: 0}, history: {every: 1, bodies: true}}
"""

# Two parts that are glued together, and a rigid ram that strikes one of them beside the seam.
RAM = """
integrator: newmark-dcr
time: {end: 0.6, step: 1.5e-3}
contact: {restitution: 0.4, friction: 0.3}
bodies:
  - name: soft
    mesh: {box: {from: [-0.5, -0.5, 0.05], to: [0.5, 0.5, 0.55], elements: [3, 3, 2]}}
    element: hex8
    material: {neo-hookean: {young: 1.0e+5, poisson: 0.3, density: 1000}}
  - name: top
    mesh: {box: {from: [-0.4, -0.4, 0.55], to: [0.4, 0.4, 0.95], elements: [2, 2, 2], cells: tet4}}
    element: tet4
    material: {neo-hookean: {young: 1.0e+5, poisson: 0.3, density: 1000}}
  - name: ram
    mesh: {box: {from: [-1, -0.15, 0.3], to: [-0.6, 0.25, 0.7], elements: [1, 1, 1]}}
    element: {rigid: {density: 1000}}
    velocity: [2, 0, 0]
    spin: [0, 0.3, 0.2]
tied: [{from: {body: top, set: zmin}, to: {body: soft, set: zmax}}]
output: {fields: {every: 0}, history: {every: 1}}
"""

# A mass at the end of an elastic bar whose other end is fixed.
BAR = """
integrator: newmark-dcr
time: {end: 0.0731, step: auto}
bodies:
  - name: bar
    mesh: {box: {from: [0, 0, 0], to: [1, 0.05, 0.05], elements: [40, 1, 1]}}
    element: hex8
    material: {linear: {young: 1.0e9, poisson: 0, density: 1000}}
  - name: head
    mesh: {box: {from: [1, -0.025, -0.025], to: [1.1, 0.075, 0.075], elements: [1, 1, 1]}}
    element: {rigid: {mass: 2.5}}
    velocity: [1.0e-3, 0, 0]
tied: [{from: {body: bar, set: xmax}, to: {body: head, set: xmin}}]
restraints: [{body: bar, set: xmin, fix: xyz}]
output: {fields: {every: 0}, history: {every: 1}, probes: [{name: head, body: head, set: center, record: [displacement]}]}
"""

# A hinge holds a rigid hub; an elastic handle with a rigid head falls about it.
HAMMER = """
integrator: newmark-dcr
time: {end: 0.2, step: 4.0e-5}
gravity: [0, 0, -10]
bodies:
  - name: hub
    mesh: {box: {from: [-0.05, -0.05, -0.05], to: [0.05, 0.05, 0.05], elements: [1, 1, 1]}}
    element: {rigid: {density: 2000}}
  - name: handle
    mesh: {box: {from: [0.05, -0.02, -0.02], to: [0.45, 0.02, 0.02], elements: [8, 2, 2]}}
    element: hex8
    material: {neo-hookean: {young: 1.0e7, poisson: 0.3, density: 1000}}
  - name: head
    mesh: {box: {from: [0.45, -0.05, -0.05], to: [0.55, 0.05, 0.05], elements: [1, 1, 1]}}
    element: {rigid: {density: 2000}}
joints: [{kind: hinge, body: hub, at: [0, 0, 0], axis: [0, 1, 0]}]
tied:
  - {from: {body: handle, set: xmin}, to: {body: hub, set: xmax}}
  - {from: {body: handle, set: xmax}, to: {body: head, set: xmin}}
output: {fields: {every: 0}, history: {every: 1}}
"""


class GluedRigid(cli.SceneTest):
    OPTIONS = ("--set", "integrator=newmark-dcr")

    def changes(self, columns, name="out"):
        rows = self.rows("history.csv", name)
        return max(abs(row[c] - rows[0][c]) for row in rows for c in columns)

    def test_momenta_and_energy(self):
        """Both momenta exactly, the residual of second order; the ball has struck."""
        drifts = {}
        for name, step in (("coarse", "3e-5"), ("fine", "1.5e-5"), ("finest", "7.5e-6")):
            summary = self.run_scene(WINGS, "--set", f"time.step={step}", name=name)
            self.assertLess(self.changes(("px", "py", "pz"), name), 1e-13)
            self.assertLess(self.changes(("lx", "ly", "lz"), name), 1e-14)
            rows = self.rows("history.csv", name)
            self.assertGreater(abs(rows[-1]["right.pz"] - rows[0]["right.pz"]), 1)
            self.assertGreater(abs(rows[-1]["core.wy"]), 0.3)
            drifts[name] = max(abs(row["residual"]) for row in rows) / rows[0]["total"]
            self.assertEqual(summary["events"]["contact_held"], 0)
        self.assertLess(drifts["coarse"], 2e-4)
        self.assertGreater(drifts["coarse"] / drifts["finest"], 8)

    def test_ram(self):
        """A rigid body that strikes what is glued together: the rest of its impact is completed on both sides, so that momenta
        stay; accounts close as the step shrinks; and nothing is missing in a checkpoint."""
        for restitution, friction in ((0.4, 0), (0.4, 0.3), (1, 0)):
            options = ("--set", f"contact.restitution={restitution}", "--set", f"contact.friction={friction}")
            summary = self.run_scene(RAM, *options)
            self.assertGreater(summary["contact_events"], 5)
            self.assertLess(self.changes(("px", "py", "pz")), 2e-13)
            # friction acts across the gap of a contact
            self.assertLess(self.changes(("lx", "ly", "lz")), 2e-3 if friction else 1e-12)
            self.run_scene(RAM, *options, "--set", "time.end=0.09", "--set", "output.checkpoint.every=1", name="cut")
            self.assertEqual(self.run_scene(RAM, *options, "--resume", name="cut")["state_hash"], summary["state_hash"])
            if restitution < 1:
                fine = self.run_scene(RAM, *options, "--set", "time.step=1e-4", name="fine")
                rows = self.rows("history.csv", "fine")
                self.assertLess(abs(rows[-1]["residual"]), 1e-4 * rows[0]["total"])
                self.assertLess(fine["momentum_error"], 1e-14)

    def test_start(self):
        """Parts that start with other velocities: the momenta of the whole are those of the parts."""
        still = WINGS.replace("velocity: [0, 0, -10]", "velocity: [0, 0, 10]")
        still = still.replace("velocity: [0.1, 0, 0.2]", "velocity: [3, 0, 0.2]", 1)
        self.run_scene(still, "--set", "time.end=0.003")
        rows = self.rows("history.csv")
        # 16 of the core, twice 3.84 of the wings, all at rest on the axes but for the ball
        ball = rows[0]["ball.px"], rows[0]["ball.pz"]
        self.assertAlmostEqual(rows[0]["px"] - ball[0], 16 * 3 + 7.68 * 0.1, delta=1e-12)
        self.assertAlmostEqual(rows[0]["pz"] - ball[1], 23.68 * 0.2, delta=1e-12)
        self.assertLess(self.changes(("px", "py", "pz")), 1e-12)
        self.assertLess(self.changes(("lx", "ly", "lz")), 1e-13)

    def test_mass_on_a_bar(self):
        """x tan x = m/M, omega = x c/L: equal masses, c = 1000, L = 1; ten periods, with overtones of the start."""
        low, high = 0.0, math.pi / 2
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if middle * math.tan(middle) < 1 else (low, middle)
        self.run_scene(BAR)
        rows = self.rows("probes.csv")

        def part(omega):
            """The size of the oscillation of that frequency, with a window that hides the others."""
            end, sums = rows[-1]["time"], [0.0, 0.0]
            for row in rows:
                weight = (1 - math.cos(2 * math.pi * row["time"] / end)) * row["head.ux"]
                sums[0] += weight * math.cos(omega * row["time"])
                sums[1] += weight * math.sin(omega * row["time"])
            return math.hypot(*sums)

        first = low * 1000
        best = first * (1 + 1e-4 * max(range(-300, 301, 4), key=lambda i: part(first * (1 + 1e-4 * i))))
        best *= 1 + 1e-5 * max(range(-40, 41), key=lambda i: part(best * (1 + 1e-5 * i)))
        self.assertLess(abs(best / first - 1), 1e-4)
        # a mass that the bar did not feel, or one without the share of the glued nodes, would be far off
        self.assertGreater(part(first), 20 * part(math.pi / 2 * 1000))

    def test_joint(self):
        """A hinge of the hub: what it gives is booked, and the residual is of second order."""
        residual = {}
        for name, step in (("coarse", "4e-5"), ("fine", "2e-5")):
            summary = self.run_scene(HAMMER, "--set", f"time.step={step}", name=name)
            self.assertLess(summary["momentum_error"], 1e-12)
            self.assertLess(summary["angular_momentum_error"], 1e-12)
            residual[name] = max(abs(row["residual"]) for row in self.rows("history.csv", name))
        # of a kinetic energy of 4.67
        self.assertLess(residual["coarse"], 1e-7)
        self.assertAlmostEqual(residual["coarse"] / residual["fine"], 4, delta=0.2)

    def test_same_bits(self):
        """Any number of threads, and a run that was interrupted."""
        self.same_bits(WINGS, (1, 2, 3), (0.006,), "--set", "contact.friction=0.3")


if __name__ == "__main__":
    cli.main()
