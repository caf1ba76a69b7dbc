# SPDX-License-Identifier: MIT
"""Rigid bodies by `asynchronous`: free motion and impacts exact, deformable bodies with other steps, loads, same bits; and the
work of obstacles that are accelerated."""

import math
from pathlib import Path

import cli

SCENES = Path(__file__).resolve().parents[2] / "scenes"

PLATE = """
integrator: {asynchronous: {beta: 0.25}}
time: {end: 0.04, step: auto, safety: 0.25}
contact: {restitution: 0, friction: 0}
bodies:
  - name: plate
    mesh: {box: {from: [-0.5, -0.5, -0.1], to: [0.5, 0.5, 0], elements: [8, 8, 2]}}
    element: hex8
    material: {neo-hookean: {young: 1.0e+7, poisson: 0.3, density: 1000}}
  - name: box
    mesh: {box: {from: [-0.15, -0.1, -0.1], to: [0.15, 0.1, 0.1], elements: [1, 1, 1]}}
    place: {axis: [0.3, 0.7, 0.2], angle: 25, translate: [0.03, 0.02, 0.2]}
    element: {rigid: {density: 2000}}
    velocity: [0.5, 0, -5]
    spin: [3, -2, 1]
output:
  fields: {every: 0}
  probes: [{name: box, body: box, set: center, record: [position, velocity]}]
"""

# Elements of different steps, an obstacle, a plane, rigid bodies that hit each other, gravity, loads that change in time.
MANY = """
integrator: asynchronous
time: {end: 0.05, step: 0.0025}
gravity: [0, 0, -10]
contact: {restitution: 0.3, friction: 0.3, planes: [{name: floor, normal: [0, 0, 1], point: [0, 0, -0.4]}]}
bodies:
  - name: coarse
    mesh: {box: {from: [-0.5, -0.5, -0.4], to: [0.5, 0.0, 0], elements: [3, 2, 2]}}
    element: hex8
    material: {neo-hookean: {young: 1.0e+6, poisson: 0.3, density: 1000}}
  - name: fine
    mesh: {box: {from: [-0.5, 0.02, -0.1], to: [0.5, 0.5, 0], elements: [8, 4, 1]}}
    element: hex8
    material: {neo-hookean: {young: 1.0e+7, poisson: 0.3, density: 1000}}
  - name: table
    mesh: {box: {from: [-1, -1, -0.3], to: [1, 1, -0.12], elements: [3, 3, 1]}}
    place: {translate: [0, 1.02, 0]}
    obstacle: {}
  - name: box
    mesh: {box: {from: [-0.15, -0.1, -0.1], to: [0.15, 0.1, 0.1], elements: [1, 1, 1]}}
    place: {axis: [0.3, 0.7, 0.2], angle: 25, translate: [0.03, 0.0, 0.17]}
    element: {rigid: {density: 2000}}
    velocity: [0.5, 0, -5]
    spin: [3, -2, 1]
  - name: ball
    mesh: {sphere: {radius: 0.05, faces: 80}}
    place: {translate: [0.1, 0.1, 0.42]}
    element: {rigid: {density: 5000}}
    velocity: [0, 0, -6]
    spin: [20, 0, 10]
loads:
  - {body: box, set: center, force: [100, 0, 0], ramp: 0.03}
  - {body: box, set: zmax, force: [0, 50, 0]}
  - {body: box, set: xmin, force: [0, 0, 20], ramp: 0.01}
  - {body: ball, acceleration: [0, 30, 0], ramp: 0.02}
output: {fields: {every: 0}, history: {bodies: true}}
"""

# Boxes that fall on a floor and on each other.
FALLING = """
integrator: asynchronous
time: {end: 0.4, step: 0.002}
gravity: [0, 0, -10]
contact: {planes: [{name: floor, normal: [0, 0, 1]}]}
bodies:
  - name: box
    mesh: {box: {from: [-0.15, -0.1, -0.1], to: [0.15, 0.1, 0.1], elements: [1, 1, 1]}}
    place: {axis: [0.3, 0.7, 0.2], angle: 25, translate: [0, 0, 0.3]}
    array: {copies: [2, 1, 3], spacing: [0.4, 0, 0.4]}
    element: {rigid: {density: 1000}}
output: {fields: {every: 0}}
"""


class RigidAsynchronous(cli.SceneTest):
    def test_free_top(self):
        """Energy and angular momentum to 1e-13 after ten thousand steps; a step of two radians and more is divided."""
        scene = (SCENES / "rigid/tumbling_top.yaml").read_text().replace("newmark-dcr", "asynchronous")
        for step, end in ((0.05, 500), (2.5, 100)):
            self.run_scene(scene, "--set", f"time.step={step}", "--set", f"time.end={end}", name=str(step))
            rows = self.rows("history.csv", str(step))
            for row in rows:
                self.assertLess(abs(row["kinetic"] / rows[0]["kinetic"] - 1), 1e-13)
                for axis in ("lx", "ly", "lz"):
                    self.assertLess(abs(row[axis] - rows[0][axis]), 1e-13 * 2)

    def stick(self, step, phase):
        turn, height = (0.3 + 2 * phase) * 180 / math.pi, 0.9 - 0.4 * phase
        steps = math.ceil((2 - phase) / step)
        text = (SCENES / "rigid/stick.yaml").read_text().replace("17.188733853924695", repr(turn))
        text = text.replace("newmark-dcr", "asynchronous").replace("[0, 0.9, 0]", f"[0, {height!r}, 0]")
        text = text.replace("stick.obj", str(SCENES / "rigid/stick.obj")).split("expect:")[0]
        name = f"{step}_{phase}"
        self.run_scene(text, "--set", f"time.step={step!r}", "--set", f"time.end={steps * step!r}",
                       "--set", "output.history.bodies=true", "--set", "output.fields.every=0", name=name)
        first, last = (self.rows("history.csv", name)[i] for i in (0, -1))
        self.assertLess(abs(last["kinetic"] / first["kinetic"] - 1), 1e-14)
        probe = self.rows("probes.csv", name)[-1]
        spin = (last["stick.lz"] - probe["stick.x"] * probe["stick.vy"]) / 0.08346666666666667
        return max(abs(probe["stick.vy"] - 0.3721651774915), abs(spin + 2.0633722301168))

    def test_stick(self):
        """An impact on chords: energy exact, errors of second order in the step."""
        errors = [max(self.stick(step, step * i / 4) for i in range(4)) for step in (0.1, 0.05, 0.025)]
        self.assertLess(errors[0], 7.2e-3)
        for coarse, fine in zip(errors, errors[1:]):
            self.assertGreater(coarse / fine, 3)

    def test_plate(self):
        """A box falls on an elastic plate: as by newmark-dcr, and momenta are exact."""
        mine = self.run_scene(PLATE, name="mine")
        other = self.run_scene(PLATE, "--set", "integrator=newmark-dcr", name="other")
        for summary in (mine, other):
            self.assertLess(summary["momentum_error"], 1e-13)
            self.assertLess(summary["angular_momentum_error"], 1e-13)
            self.assertLess(summary["energy_error"], 5e-3)
            self.assertEqual(summary["intersections"], 0)
            self.assertGreater(summary["contact_events"], 10)
        ends = [self.rows("probes.csv", name)[-1] for name in ("mine", "other")]
        for axis in "xyz":
            self.assertLess(abs(ends[0][f"box.v{axis}"] - ends[1][f"box.v{axis}"]), 0.05)
            self.assertLess(abs(ends[0][f"box.{axis}"] - ends[1][f"box.{axis}"]), 0.001)

    def test_same_bits(self):
        """Any number of threads, other rows, a run that was interrupted in the midst of impacts; momentum to rounding, and
        energy nearly as by newmark-dcr."""
        summary = self.same_bits(MANY, (1, 2, 3), (0.0125, 0.03))
        rows = self.run_scene(MANY, "--set", "output.history.every=3", name="rows")
        self.assertEqual(rows["state_hash"], summary["state_hash"])
        self.assertLess(summary["momentum_error"], 1e-13)
        self.assertLess(summary["energy_error"], 2e-3)
        self.assertEqual(summary["intersections"], 0)
        self.run_scene(MANY, "--set", "integrator=newmark-dcr", "--set", "time.step=0.00025", name="other")
        ends = [self.rows("history.csv", name)[-1] for name in ("t1", "other")]
        for column in ("box.pz", "ball.pz", "kinetic", "restitution", "friction"):
            self.assertLess(abs(ends[0][column] / ends[1][column] - 1), 0.03, column)

    def test_books(self):
        """Boxes that fall on each other with restitution and friction: the books close to rounding."""
        for restitution, friction in ((0.3, 0.4), (1, 0)):
            name = f"{restitution}_{friction}"
            summary = self.run_scene(FALLING, "--set", f"contact.restitution={restitution}",
                                     "--set", f"contact.friction={friction}", name=name)
            self.assertLess(summary["energy_error"], 1e-12, name)
            self.assertLess(summary["momentum_error"], 1e-12, name)
            self.assertGreater(summary["contact_events"], 20, name)
            self.assertEqual(summary["intersections"], 0)

    def test_smooth_floor(self):
        """Boxes lie on a smooth floor, which gives each four contacts for three equations, by both methods."""
        for method in ("asynchronous", "newmark-dcr"):
            summary = self.run_scene(FALLING, "--set", f"integrator={method}", "--set", "time.end=1", name=method)
            self.assertLess(summary["energy_error"], 1e-3, method)
            self.assertLess(summary["momentum_error"], 1e-12, method)
            self.assertGreater(summary["contact_events"], 1000, method)

    def test_dominoes(self):
        """Losses of impacts without restitution, which many contacts share: the kick that follows decides 10 % of them."""
        text = (SCENES / "rigid/dominoes.yaml").read_text().split("expect:")[0].replace("newmark-dcr", "asynchronous")
        summary = self.run_scene(text, "--set", "time.end=0.2", "--set", "output.fields.every=0")
        self.assertLess(summary["energy_error"], 2e-3)
        self.assertLess(summary["momentum_error"], 1e-12)

    def test_hammer(self):
        """A rigid hammer on a graded bar is braked by rho c A v, as exp(-rho c A t/m)."""
        self.run_scene(SCENES / "rigid/hammer_and_graded_bar.yaml", "--set", "output.fields.every=0")
        for row in self.rows("probes.csv"):
            if row["time"] > 1.05:
                self.assertLess(abs(row["hammer.vx"] / (0.01 * math.exp(1 - row["time"])) - 1), 0.01)

    def test_driven_punch(self):
        """The work of a punch that is accelerated: what the books lack is of second order in the step."""
        lacks = []
        for part in (0.4, 0.2):
            text = (SCENES / "obstacles/punch.yaml").read_text().split("expect:")[0]
            text = text.replace("integrator: newmark-dcr", f"integrator: {{asynchronous: {{beta: {part}}}}}")
            self.run_scene(text, "--set", f"time.safety={part}", "--set", "output.fields.every=0", name=str(part))
            rows = self.rows("history.csv", str(part))
            lacks.append(max(abs(row["residual"]) for row in rows) / abs(rows[-1]["external"]))
        self.assertLess(lacks[1], 4e-4)
        self.assertGreater(lacks[0] / lacks[1], 3)


if __name__ == "__main__":
    cli.main()
