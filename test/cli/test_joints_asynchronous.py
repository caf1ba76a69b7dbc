# SPDX-License-Identifier: MIT
"""Joints, motors and springs by `asynchronous`: all that test_joints.py asks of newmark-dcr; glued parts, all that
test_tied_rigid.py asks; bodies whose elements have other steps than the joints beside them."""
import math

import cli
import test_tied_rigid
import test_joints

# A hammer on a hinge strikes a bar in line with what it then does. Its mass is one unit below the hinge.
BLOW = """\
integrator: {asynchronous: {beta: 0.25}}
time: {end: 1.21, step: auto, safety: 0.5}
contact: {restitution: 0}
bodies:
  - name: bar
    mesh: {box: {from: [0, 0, 0], to: [1, 0.05, 0.05], elements: [80, 1, 1], grading: [2, 1, 1], blend: [0.25, 0, 0]}}
    element: hex8
    material: {st-venant-kirchhoff: {young: 1, poisson: 0, density: 1}}
  - name: hammer
    mesh: {box: {from: [-0.10001, -0.1, -0.1], to: [-0.00001, 0.15, 0.15], elements: [1, 1, 1]}}
    element: {rigid: {mass: 0.0025, inertia: [1.0e-6, 1.0e-6, 1.0e-6]}}
    spin: [0, -0.001, 0]
joints: [{kind: hinge, body: hammer, at: [-0.05001, 0.025, 1.025], axis: [0, 1, 0]}]
output:
  fields: {every: 0}
  probes: [{name: hammer, body: hammer, set: center, record: [position, velocity]}]
"""

# Joints, glue, springs and dampers with all sorts of ends, beside elements of other steps; the fast ones divide the step.
CROWD = """\
integrator: asynchronous
time: {end: 0.6, step: 0.01}
gravity: [0, 0, -10]
contact: {restitution: 0.5, friction: 0.2, planes: [{name: floor, normal: [0, 0, 1]}]}
bodies:
  - {name: rotor, mesh: {box: {from: [-0.3, -0.05, 1], to: [0.3, 0.05, 1.1], elements: [2, 1, 1]}}, element: {rigid: {mass: 1}},
     spin: [0, 15, 0]}
  - {name: arm, mesh: {box: {from: [0.32, -0.05, 1], to: [0.8, 0.05, 1.1], elements: [2, 1, 1]}}, element: {rigid: {mass: 0.5}},
     velocity: [0, 0, -8.4], spin: [0, 15, 0]}
  - {name: free, mesh: {box: {from: [1, -0.1, 1], to: [1.2, 0.1, 1.2], elements: [2, 2, 2]}}, element: {rigid: {mass: 0.5}},
     spin: [3, 0, 30]}
  - {name: soft, mesh: {box: {from: [1.5, -0.1, 0.4], to: [1.9, 0.3, 0.8], elements: [2, 3, 4]}}, element: hex8,
     material: {neo-hookean: {young: 5000, poisson: 0.2, density: 30}}}
  - {name: held, mesh: {box: {from: [2.5, -0.1, 0.6], to: [2.7, 0.1, 0.8], elements: [2, 2, 2]}}, element: hex8,
     material: {neo-hookean: {young: 50000, poisson: 0.2, density: 30}}}
  - {name: head, mesh: {box: {from: [1.9, -0.1, 0.4], to: [2.0, 0.3, 0.8], elements: [1, 1, 1]}}, element: {rigid: {mass: 1}}}
joints:
  - {kind: hinge, body: rotor, at: [0, 0, 1.05], axis: [0, 1, 0]}
  - {kind: hinge, body: arm, to: rotor, at: [0.31, 0, 1.05], axis: [0, 1, 0]}
tied: [{from: {body: soft, set: xmax}, to: {body: head, set: xmin}}]
springs:
  - {from: {body: free, point: [1.1, 0, 1.1]}, to: {point: [1.1, 0, 1.8]}, stiffness: 200, damping: 1}
  - {from: {body: free, point: [1.2, 0.1, 1]}, to: {body: soft, point: [1.5, -0.1, 0.8]}, stiffness: 300, damping: 2}
  - {from: {body: head, point: [2.0, -0.1, 0.4]}, to: {body: held, point: [2.5, -0.1, 0.6]}, stiffness: 100, damping: 3}
restraints: [{body: held, set: xmin, fix: xyz}, {body: held, set: xmax, fix: z}]
output:
  fields: {every: 0}
  history: {every: 1}
  probes:
    - {name: arm, body: arm, set: center, record: [position]}
    - {name: free, body: free, set: center, record: [position]}
    - {name: head, body: head, set: center, record: [position]}
"""

# Sliders with a body of a thousandth of the mass between two others, and large turns: flights that are hard to find.
LIGHT = """\
integrator: {asynchronous: {beta: 0.1}}
time: {end: 0.6, step: 0.01}
gravity: [0, 0, -318.6]
contact: {restitution: 0}
bodies:
  - {name: b0, mesh: {box: {from: [0, -0.956, 31.86], to: [9.558, 0.956, 33.772], elements: [2, 1, 1]}},
     element: {rigid: {mass: 10}}}
  - {name: b1, mesh: {box: {from: [10.514, -0.956, 31.86], to: [20.072, 0.956, 33.772], elements: [2, 1, 1]}},
     element: {rigid: {mass: 0.01}}}
  - {name: b2, mesh: {box: {from: [21.028, -0.956, 31.86], to: [30.586, 0.956, 33.772], elements: [2, 1, 1]}},
     element: {rigid: {mass: 10}}}
  - {name: ball, mesh: {sphere: {center: [4.779, 0, 54.162], radius: 3.186, faces: 80}}, element: {rigid: {mass: 1}},
     velocity: [0, 0, -95.58], spin: [-16.1334, 3, 5]}
  - {name: slab, mesh: {box: {from: [-31.86, -15.93, 6.372], to: [63.72, 15.93, 15.93], elements: [6, 3, 2]}}, element: hex8,
     material: {neo-hookean: {young: 313.87, poisson: 0.3, density: 3.0922e-4}}}
restraints: [{body: slab, set: zmin, fix: xyz}]
joints:
  - {kind: slider, body: b1, to: b0, axis: [0.13348, 1, 0.49478]}
  - {kind: slider, body: b2, to: b1, axis: [0.61082, 1, 0.8389]}
output: {fields: {every: 0}, history: {every: 1}}
"""


class ByAsynchronous:
    """Runs the scenes of a test with another integrator."""

    def carom(self, command, *words, **options):
        chosen = ("--set", "integrator=asynchronous") if command == "run" else ()
        return super().carom(command, *words, *chosen, **options)


class Joints(ByAsynchronous, test_joints.Joints):
    pass


class Linkages(ByAsynchronous, test_joints.Linkages):
    def test_residual(self):
        """The energy error of a double pendulum falls by four with half the step; without gravity there is none."""
        residuals = []
        for step in (0.004, 0.002, 0.001):
            _, rows = self.by(test_joints.SCENES / "double_pendulum.yaml", f"r{step}", f"time.step={step}", "expect={}",
                              "output.history.every=1")
            residuals.append(max(map(abs, rows["residual"])))
        for coarse, fine in zip(residuals, residuals[1:]):
            self.assertAlmostEqual(coarse / fine, 4, delta=0.1)
        start = [f"bodies[{i}].{key}" for i, v in ((0, -0.5), (1, -1.5)) for key in ("spin=[0, 1, 0]", f"velocity=[0, 0, {v}]")]
        _, rows = self.by(test_joints.SCENES / "double_pendulum.yaml", "free", "time.step=0.01", "time.end=50",
                          "gravity=[0, 0, 0]", "output.history.every=10", "expect={}", *start)
        self.assertLess(max(abs(k / rows["kinetic"][0] - 1) for k in rows["kinetic"]), 1e-13)

    def test_closed(self):
        """100,000 steps of a linkage: its joints are closed to 1e-12 of its length, momenta balance."""
        summary, rows = self.by(test_joints.SCENES / "double_pendulum.yaml", "long", "time.step=0.001", "time.end=100",
                                "output.history.every=500", "expect={}")
        self.assertEqual(summary["steps"], 100000)
        self.assertLess(max(abs(math.hypot(x, z) - 0.5) for x, z in zip(rows["upper.x"], rows["upper.z"])), 1e-12)
        self.assertLess(max(summary["momentum_error"], summary["angular_momentum_error"]), 1e-13)


class Glued(test_tied_rigid.GluedRigid):
    """Elements have the steps of newmark-dcr, which the residuals of these tests belong to."""
    test_ram = None  # of parts that are tied to each other, which is refused

    OPTIONS = ("--set", "integrator={asynchronous: {beta: 0.8}}")


class OtherSteps(test_joints.Joints):
    """Bodies beside joints, with steps of their own."""
    test_period = test_nothing_gives_way = test_scenes = test_springs = test_same_bits = test_stretched_springs = None

    def test_blow(self):
        """A hammer on a hinge is braked by rho c A v of the bar, within what the mesh leaves; as by newmark-dcr. The hinge is
        booked."""
        scene, speeds = self.write(BLOW), []
        for integrator in ("{asynchronous: {beta: 0.25}}", "newmark-dcr"):
            summary, rows = self.by(scene, integrator[1:5], f"integrator={integrator}")
            speeds.append(rows["hammer.vx"][-1] / (0.001 * math.exp(-1.2)))
            self.assertAlmostEqual(speeds[-1], 1, delta=0.008)
            self.assertLess(max(summary["momentum_error"], summary["angular_momentum_error"]), 1e-13)
            self.assertLess(summary["energy_error"], 0.002)
            self.assertEqual(summary["intersections"], 0)
        self.assertAlmostEqual(*speeds, delta=0.002)

    def test_crowd(self):
        """Momenta to rounding, the motion of newmark-dcr, the same bits by threads and restarts."""
        scene = self.write(CROWD)
        summary, rows = self.by(scene, "whole", "time.step=0.002")
        _, other = self.by(scene, "other", "time.step=0.0005", "integrator=newmark-dcr")
        self.assertGreater(summary["contact_events"], 100)
        self.assertEqual(summary["intersections"], 0)
        self.assertLess(summary["momentum_error"], 1e-13)
        self.assertLess(summary["angular_momentum_error"], 1e-9)
        self.assertLess(summary["energy_error"], 1e-3)
        self.assertGreater(rows["damping"][-1], 0.5)
        # the arms beat about: until they do, and the others throughout
        for column in ("arm.x", "arm.z", "free.x", "free.z", "head.x", "head.z"):
            until = 0.05 if column.startswith("arm") else 0.6
            here = {round(t, 9): x for t, x in zip(rows["time"], rows[column]) if t <= until + 1e-9}
            there = {round(t, 9): x for t, x in zip(other["time"], other[column])}
            self.assertLess(max(abs(x - there[t]) for t, x in here.items()), 2e-3, column)
        self.same_bits(scene, (1, 2, 3, 8), (0.1, 0.45))

    def test_light_between_heavy(self):
        """Flights whose iteration leaves the numbers are not taken for found: shorter ones are looked for."""
        path = self.write(LIGHT)
        for step in (0.008, 0.009, 0.01):
            self.carom("run", path, "-q", "-o", f"l{step}", "--set", f"time.step={step}")
            summary = cli.result(self.folder / f"l{step}")
            self.assertLess(max(summary["momentum_error"], summary["angular_momentum_error"]), 1e-13)
            self.assertLess(summary["energy_error"], 1e-3)

    def test_books_of_springs(self):
        """Without contact the residual is of second order in the steps of elements."""
        scene = self.write(CROWD)
        residuals = []
        for beta in (0.2, 0.1):
            _, rows = self.by(scene, f"b{beta}", "contact=false", f"integrator={{asynchronous: {{beta: {beta}}}}}",
                              f"time.step={0.02 * beta}", "time.end=0.4")
            residuals.append(max(map(abs, rows["residual"])))
        self.assertAlmostEqual(residuals[0] / residuals[1], 4, delta=0.4)


if __name__ == "__main__":
    cli.main()
