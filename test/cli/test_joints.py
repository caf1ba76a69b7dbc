# SPDX-License-Identifier: MIT
"""Rigid bodies on joints: the period of a pendulum, joints that do not give way, a blow through a hinge, the same bits by threads
and restarts."""
import math
from pathlib import Path

import cli

SCENES = Path(__file__).resolve().parents[2] / "scenes/joints"
# 4 K(sin 45) sqrt(2 L/3 g), by the arithmetic-geometric mean
PERIOD = 1.9148800927501606

# A body of each kind that turns or slides, in a heap of impacts with friction.
CROWD = """\
integrator: newmark-dcr
time: {end: 1, step: 0.001}
gravity: [0, 0, -10]
contact: {restitution: 0.5, friction: 0.3, planes: [{name: floor, normal: [0, 0, 1]}]}
bodies:
  - {name: wheel, mesh: {box: {from: [0, 0, 1], to: [1, 0.2, 1.2], elements: [1, 1, 1]}}, element: {rigid: {mass: 1}}, spin: [0, 2, 0]}
  - {name: top, mesh: {box: {from: [0.2, 0, 1.3], to: [0.8, 0.4, 1.5], elements: [1, 1, 1]}}, element: {rigid: {mass: 2}}}
  - {name: drop, mesh: {box: {from: [0.3, 0.1, 2], to: [0.5, 0.3, 2.2], elements: [1, 1, 1]}}, element: {rigid: {mass: 1}}}
  - {name: lift, mesh: {box: {from: [0, 0, 0.2], to: [1, 0.4, 0.5], elements: [1, 1, 1]}}, element: {rigid: {mass: 1}}}
  - {name: soft, mesh: {box: {from: [0.4, 0, 2.5], to: [0.8, 0.4, 2.9], elements: [1, 1, 1]}}, element: hex8,
     material: {neo-hookean: {young: 2000, poisson: 0.2, density: 3}}}
joints:
  - {kind: hinge, body: wheel, at: [0.5, 0.1, 1.1], axis: [0, 1, 0]}
  - {kind: ball, body: top, at: [0.5, 0.2, 1.6]}
  - {kind: planar, body: drop, axis: [0, 1, 0]}
  - {kind: cylinder, body: lift, at: [0.5, 0.2, 0], axis: [0, 0, 1]}
springs:
  - {from: {body: wheel, point: [1, 0, 1]}, to: {point: [1, 0, 3]}, stiffness: 20, damping: 0.5}
  - {from: {body: drop, point: [0.5, 0.3, 2.2]}, to: {body: soft, point: [0.4, 0.4, 2.5]}, stiffness: 50, damping: 1}
"""

STRETCHED = """\
integrator: newmark-dcr
time: {end: 10, step: auto}
bodies:
  - {name: box, mesh: {box: {from: [-0.1, -0.1, -0.1], to: [0.1, 0.1, 0.1], elements: [2, 2, 2]}}, element: {rigid: {mass: 1}},
     spin: [0, 0.01, 0.02]}
springs:
  - {from: {body: box, point: [0.1, 0, 0]}, to: {point: [20, 0, 0]}, stiffness: 10, length: 10}
  - {from: {body: box, point: [-0.1, 0, 0]}, to: {point: [-20, 0, 0]}, stiffness: 10, length: 10}
output: {history: {every: 1}, probes: [{name: box, body: box, record: [rotation]}]}
"""

# A linkage, and an impact far away from it.
ELSEWHERE = """\
integrator: newmark-dcr
time: {end: 0.35, step: 0.0005}
gravity: [0, 0, -10]
contact: {restitution: 1, planes: [{name: floor, normal: [0, 0, 1]}]}
bodies:
  - {name: arm, mesh: {box: {from: [0, 0, 1], to: [0.5, 0.1, 1.1], elements: [2, 1, 1]}}, element: {rigid: {mass: 1}}}
  - {name: box, mesh: {box: {from: [5.1, 0, 0.42], to: [5.3, 0.1, 0.6], elements: [1, 1, 1]}}, element: {rigid: {mass: 0.3}}}
joints: [{kind: hinge, body: arm, at: [0, 0, 1], axis: [0, 1, 0]}, {kind: planar, body: arm, axis: [0, 1, 0]}]
output: {history: {every: 10}, probes: [{name: tip, body: arm, set: center, record: [position]}]}
"""

# A box that cannot rotate jumps on a floor, an arm rotates on it: the mass centre of the box flies on arcs.
SWUNG = """\
integrator: newmark-dcr
time: {end: 1, step: 0.02}
gravity: [0, 0, -10]
contact: {restitution: 1, planes: [{name: floor, normal: [0, 0, 1]}]}
bodies:
  - {name: box, mesh: {box: {from: [0, 0, 0.5], to: [1, 1, 1], elements: [1, 1, 1]}}, element: {rigid: {mass: 1}}}
  - {name: arm, mesh: {box: {from: [0.5, 0, 2], to: [1.5, 1, 3], elements: [1, 1, 1]}}, element: {rigid: {mass: 1}},
     velocity: [0, 0, -2.5], spin: [0, 5, 0]}
joints: [{kind: upright, body: box}, {kind: hinge, body: arm, to: box, at: [0.5, 0.5, 2.5], axis: [0, 1, 0]}]
output:
  history: {every: 1}
  probes: [{name: corner, body: box, node: 0, record: [position]}, {name: centre, body: box, record: [position]}]
"""

# A linkage that nothing holds falls on a soft slab and is struck: drifts are run several times, with impacts at their starts.
FALLING = """\
integrator: newmark-dcr
time: {end: 0.6, step: 0.002}
gravity: [0, 0, -32.7]
contact: {restitution: 0.5}
bodies:
  - {name: b0, mesh: {box: {from: [0, -0.0981, 3.27], to: [0.981, 0.0981, 3.47], elements: [2, 1, 1]}},
     element: {rigid: {mass: 0.01}}}
  - {name: b1, mesh: {box: {from: [1.08, -0.0981, 3.27], to: [2.06, 0.0981, 3.47], elements: [2, 1, 1]}},
     element: {rigid: {mass: 10}}}
  - {name: b2, mesh: {box: {from: [2.16, -0.0981, 3.27], to: [3.14, 0.0981, 3.47], elements: [2, 1, 1]}},
     element: {rigid: {mass: 1}}}
  - {name: ball, mesh: {sphere: {center: [0.49, 0, 5.56], radius: 0.327, faces: 80}}, element: {rigid: {mass: 1}},
     velocity: [0, 0, -9.81], spin: [-9.79, 3, 5]}
  - {name: slab, mesh: {box: {from: [-3.27, -1.63, 0.654], to: [6.54, 1.63, 1.63], elements: [6, 3, 2]}}, element: hex8,
     material: {neo-hookean: {young: 3060, poisson: 0.3, density: 0.286}}}
restraints: [{body: slab, set: zmin, fix: xyz, until: 0.3}]
joints:
  - {kind: hinge, body: b1, to: b0, at: [1.03, 0, 3.37], axis: [-0.152, 1, -0.388]}
  - {kind: hinge, body: b2, to: b1, at: [2.11, 0, 3.37], axis: [-0.452, 1, 0.221]}
output: {fields: {every: 0}, history: {every: 1}}
"""

# Contacts in directions in which joints let nothing move.
STUCK = """\
integrator: newmark-dcr
time: {{end: 0.8, step: 0.001}}
gravity: [0, 0, -10]
contact: {{restitution: {restitution}, friction: 0.3, planes: [{{name: floor, normal: [0, 0, 1]}}]}}
bodies: [{bodies}]
joints: [{joints}]
output: {{history: {{every: 1}}}}
"""
STUCK_BOX = "{name: box, mesh: {box: {from: [0, 0, 0.1], to: [1, 1, 0.5], elements: [1, 1, 1]}}, element: {rigid: {mass: 1}}}"
STUCK_DOOR = ("{name: door, mesh: {box: {from: [0.1, -0.05, 0], to: [1, 0.05, 2], elements: [1, 1, 1]}}, "
              "element: {rigid: {mass: 1}}, spin: [0, 0, 1], velocity: [0, 0.55, 0]}")
STUCK_HINGES = ("{kind: hinge, body: door, at: [0, 0, 0.5], axis: [0, 0, 1]}, "
                "{kind: hinge, body: door, at: [0, 0, 1.5], axis: [0, 0, 1]}")
STUCK_ARMS = ("{name: a, mesh: {box: {from: [-0.5, 0, 0.95], to: [0.5, 0.05, 1.05], elements: [2, 1, 1]}}, "
              "element: {rigid: {mass: 1}}, spin: [0, 2, 0]}, "
              "{name: b, mesh: {box: {from: [-0.5, 0.05000001, 0.95], to: [0.5, 0.1, 1.05], elements: [3, 1, 1]}}, "
              "element: {rigid: {mass: 1}}, spin: [0, -3, 0]}")


# Half a kilogram at 3 m/s, and a damper ahead of it.
BRAKED = """\
integrator: newmark-dcr
time: {end: 0.1, step: 0.001}
contact: false
bodies:
  - name: block
    mesh: {box: {from: [0, 0, 0], to: [0.1, 0.1, 0.1], elements: [1, 1, 1]}}
    element: {rigid: {mass: 0.5}}
    velocity: [1.7320508075688772, 1.7320508075688772, 1.7320508075688772]
springs: [{from: {body: block, point: [0.1, 0.1, 0.1]}, to: {point: [10, 10, 10]}, damping: 1}]
output: {history: {every: 1}}
"""


class Joints(cli.SceneTest):
    @staticmethod
    def crossings(times, values):
        """When the values change their sign, by cubic interpolation."""
        found = []
        for i in range(1, len(values) - 2):
            if values[i] * values[i + 1] > 0:
                continue
            t, x = times[i - 1:i + 3], values[i - 1:i + 3]

            def at(u):
                return sum(x[p] * math.prod((u - t[q]) / (t[p] - t[q]) for q in range(4) if q != p) for p in range(4))
            low, high = t[1], t[2]
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (low, middle) if at(low) * at(middle) <= 0 else (middle, high)
            found.append(low)
        return found

    def test_period(self):
        """The period of a rod from 90 degrees, of second order in the step."""
        errors = []
        for step in (0.01, 0.005):
            _, rows = self.by(SCENES / "pendulum.yaml", f"p{step}", f"time.step={step}", "time.end=20", "output.history.every=1",
                              "expect={}")
            zeros = self.crossings(rows["time"], rows["middle.x"])
            self.assertEqual(len(zeros), 21)
            errors.append(2 * (zeros[-1] - zeros[0]) / (len(zeros) - 1) - PERIOD)
        self.assertLess(abs(errors[0]), 1e-4)
        self.assertAlmostEqual(errors[0] / errors[1], 4, delta=0.02)

    def test_nothing_gives_way(self):
        """100,000 steps: distances from the hinge stay to 1e-12, also of nodes of the surface; energy does not drift."""
        probes = ("output.probes=[{name: middle, body: rod, set: center, record: [position]}, "
                  "{name: tip, body: rod, node: 7, record: [position]}]")
        summary, rows = self.by(SCENES / "pendulum.yaml", "long", "time.step=0.001", "time.end=100", "output.history.every=100",
                                probes, "expect={}")
        for name in ("middle", "tip"):
            lengths = [math.hypot(x, z) for x, z in zip(rows[f"{name}.x"], rows[f"{name}.z"])]
            self.assertLess(max(abs(length - lengths[0]) for length in lengths), 1e-12)
            self.assertLess(max(abs(y - rows[f"{name}.y"][0]) for y in rows[f"{name}.y"]), 1e-12)
        tenth = len(rows["residual"]) // 10
        early, late = (max(map(abs, rows["residual"][part])) for part in (slice(0, tenth), slice(-tenth, None)))
        self.assertLess(late, 1.05 * early)
        self.assertLess(summary["momentum_error"], 1e-13)

    def test_scenes(self):
        """The gates of the scenes."""
        for name in ("hammer", "cradle", "heavy_top", "plate", "spring", "double_pendulum", "thrown", "chain",
                     "slider_crank"):
            self.carom("run", SCENES / f"{name}.yaml", "-q", "-o", name)

    def test_springs(self):
        """A damped block: second order in position and books. A strong damper stops, and takes no more than there is."""
        errors, residuals = [], []
        for step in (0.004, 0.002):
            _, rows = self.by(SCENES / "spring.yaml", f"s{step}", f"time.step={step}", "expect={}")
            errors.append(rows["block.ux"][-1] + 0.30063813258427435)
            residuals.append(max(map(abs, rows["residual"])))
            self.assertTrue(all(b >= a for a, b in zip(rows["damping"], rows["damping"][1:])))
        self.assertAlmostEqual(errors[0] / errors[1], 4, delta=0.05)
        self.assertAlmostEqual(residuals[0] / residuals[1], 4, delta=0.1)
        summary, rows = self.by(SCENES / "spring.yaml", "strong", "springs[1].damping=1e6", "expect={}")
        self.assertLess(abs(rows["block.ux"][-1]), 1e-3)
        self.assertLess(rows["damping"][-1], rows["internal"][0])
        self.assertLess(summary["momentum_error"], 1e-12)

    def test_strong_dampers(self):
        """Whatever its strength, a damper stops what it brakes, and does not throw it back."""
        for damping in ("1e5", "1e9"):
            summary, rows = self.by(BRAKED, f"braked{damping}", f"springs[0].damping={damping}")
            self.assertAlmostEqual(rows["damping"][-1], 2.25, delta=1e-6)
            self.assertLess(rows["kinetic"][-1], 1e-6)
            self.assertLess(summary["energy_error"], 1e-9)

    def test_stretched_springs(self):
        """Springs that pull at a small body turn it back, faster than they move it; the automatic step knows."""
        summary, rows = self.by(STRETCHED, "stretched")
        self.assertLess(max(rows["box.ry"]), 1e-3)
        self.assertLess(summary["energy_error"], 1e-8)

    def test_same_bits(self):
        """All kinds among impacts: books close, threads and restarts change nothing."""
        whole = self.same_bits(CROWD, (1, 2, 3, 8), (0.4,), every=100)
        self.assertGreater(whole["contact_events"], 20)
        self.assertEqual(whole["intersections"], 0)
        self.assertLess(whole["momentum_error"], 1e-13)
        # friction acts on both surfaces, a layer apart
        self.assertLess(whole["angular_momentum_error"], 1e-5)
        self.assertLess(whole["energy_error"], 1e-3)


# All kinds between bodies, a closed loop among them, in a heap of impacts with friction.
LINKED = """\
integrator: newmark-dcr
time: {end: 0.5, step: 0.001}
gravity: [0, 0, -10]
contact: {restitution: 0.3, friction: 0.2, planes: [{name: floor, normal: [0, 0, 1]}],
          pairs: [{bodies: [door, sled], touch: false}, {bodies: [sled, plate], touch: false}]}
bodies:
  - {name: crank, mesh: {box: {from: [-0.02, -0.02, 0.8], to: [0.02, 0.02, 1.2], elements: [1, 1, 1]}}, element: {rigid: {mass: 1}}}
  - {name: coupler, mesh: {box: {from: [0, -0.09, 1.18], to: [1.2, -0.05, 1.22], elements: [1, 1, 1]}}, element: {rigid: {mass: 2}}}
  - {name: rocker, mesh: {box: {from: [1.18, -0.02, 0.4], to: [1.22, 0.02, 1.2], elements: [1, 1, 1]}}, element: {rigid: {mass: 1}}}
  - {name: sled, mesh: {box: {from: [0, 1, 0.3], to: [0.4, 1.4, 0.5], elements: [1, 1, 1]}}, element: {rigid: {mass: 1}}}
  - {name: door, mesh: {box: {from: [0.5, 1, 0.3], to: [0.9, 1.2, 0.5], elements: [1, 1, 1]}}, element: {rigid: {mass: 1}}}
  - {name: plate, mesh: {box: {from: [0, 1, 0.6], to: [0.4, 1.4, 0.7], elements: [1, 1, 1]}}, element: {rigid: {mass: 1}}}
  - {name: roller, mesh: {box: {from: [1, 1, 0.3], to: [1.2, 1.2, 0.5], elements: [1, 1, 1]}}, element: {rigid: {mass: 1}}}
  - {name: drop, mesh: {box: {from: [0.5, -0.2, 1.4], to: [0.7, 0, 1.6], elements: [1, 1, 1]}}, element: {rigid: {mass: 2}}}
  - {name: rain, mesh: {box: {from: [0.5, 1, 0.7], to: [0.7, 1.2, 0.9], elements: [1, 1, 1]}}, element: {rigid: {mass: 0.5}}}
joints:
  - {kind: hinge, body: crank, at: [0, 0, 0.8], axis: [0, 1, 0]}
  - {kind: hinge, body: coupler, to: crank, at: [0, 0, 1.2], axis: [0, 1, 0]}
  - {kind: hinge, body: coupler, to: rocker, at: [1.2, 0, 1.2], axis: [0, 1, 0]}
  - {kind: hinge, body: rocker, at: [1.2, 0, 0.4], axis: [0, 1, 0]}
  - {kind: slider, body: door, to: sled, axis: [1, 0, 0.2]}
  - {kind: planar, body: plate, to: sled, axis: [0, 0, 1]}
  - {kind: cylinder, body: roller, to: door, at: [1.1, 1.1, 0.4], axis: [0, 1, 0]}
"""

# Motors that go on and off, on a hinge and on a slider of the body that it turns, and a blow against both.
MOTORS = """\
integrator: newmark-dcr
time: {end: 1, step: 0.002}
gravity: [0, 0, -10]
contact: {restitution: 0.5}
bodies:
  - {name: arm, mesh: {box: {from: [0, -0.05, -0.05], to: [1, 0.05, 0.05], elements: [1, 1, 1]}}, element: {rigid: {mass: 1}}}
  - {name: hand, mesh: {box: {from: [1.1, -0.05, -0.05], to: [1.3, 0.05, 0.05], elements: [1, 1, 1]}}, element: {rigid: {mass: 0.5}}}
  - {name: ball, mesh: {sphere: {center: [0.8, 0, 0.3], radius: 0.1, faces: 128}}, element: {rigid: {mass: 1}}}
joints:
  - {kind: hinge, body: arm, at: [0, 0, 0], axis: [0, -1, 0], speed: 3, ramp: 0.1, until: 0.6}
  - {kind: slider, body: hand, to: arm, axis: [1, 0, 0], speed: 0.5, from: 0.2, until: 0.9, history: [[0.2, 0], [0.4, 1], [0.9, 1]]}
output: {probes: [{name: arm, body: arm, set: center, record: [position]}, {name: hand, body: hand, set: center, record: [position]}]}
"""


def pendulum(angles):
    """Slopes of the angles below the horizontal and of their rates, of two rods of length and mass 1."""
    a, b, u, v = angles
    couple, pull = math.cos(a - b) / 2, math.sin(a - b) / 2
    first, second = 15 * math.cos(a) - pull * v * v, 5 * math.cos(b) + pull * u * u
    scale = 4 / 9 - couple * couple
    return u, v, (first / 3 - couple * second) / scale, (4 / 3 * second - couple * first) / scale


def solve(slope, start, end, steps):
    """Runge's and Kutta's method of order four."""
    x, h = list(start), end / steps
    for _ in range(steps):
        k = [slope(x)]
        for part in (h / 2, h / 2, h):
            k.append(slope([p + part * q for p, q in zip(x, k[-1])]))
        x = [p + h / 6 * (a + 2 * b + 2 * c + d) for p, a, b, c, d in zip(x, *k)]
    return x


class Linkages(Joints):
    """Joints between bodies, and several joints of a body."""
    test_period = test_nothing_gives_way = test_scenes = test_springs = test_same_bits = None

    def test_double_pendulum(self):
        """Order two, against the equations in the angles; the joint stays closed."""
        a, b, _, _ = solve(pendulum, (0, 0, 0, 0), 2, 5000)
        exact = math.cos(a) / 2, -math.sin(a) / 2, math.cos(a) + math.cos(b) / 2, -math.sin(a) - math.sin(b) / 2
        errors = []
        for step in (0.008, 0.004):
            _, rows = self.by(SCENES / "double_pendulum.yaml", f"d{step}", f"time.step={step}", "output.history.every=1", "expect={}")
            errors.append(max(abs(rows[name][-1] - x) for name, x in zip(("upper.x", "upper.z", "lower.x", "lower.z"), exact)))
            lengths = [math.hypot(x, z) for x, z in zip(rows["upper.x"], rows["upper.z"])]
            self.assertLess(max(abs(length - 0.5) for length in lengths), 1e-14)
        self.assertLess(errors[0], 2e-3)
        self.assertAlmostEqual(errors[0] / errors[1], 4, delta=0.05)

    def test_no_drift(self):
        """20,000 steps of a double pendulum: the energy error of the last tenth is not larger than elsewhere."""
        summary, rows = self.by(SCENES / "double_pendulum.yaml", "long", "time.step=0.002", "time.end=40", "output.history.every=20",
                                "expect={}")
        tenth = len(rows["residual"]) // 10
        self.assertLess(max(map(abs, rows["residual"][-tenth:])), 1.5 * max(map(abs, rows["residual"][:-tenth])))
        self.assertLess(max(map(abs, rows["residual"])), 2e-3)
        self.assertLess(summary["momentum_error"], 1e-13)
        self.assertLess(summary["angular_momentum_error"], 1e-13)

    def test_slider_crank(self):
        """A motor turns the crank: the piston is where the closed form says, at all times, and the work is external."""
        summary, rows = self.by(SCENES / "slider_crank.yaml", "crank", "time.step=0.01", "output.history.every=1", "expect={}")
        for t, x in zip(rows["time"], rows["piston.x"]):
            self.assertAlmostEqual(x, 0.3 * math.cos(5 * t) + math.sqrt(1 - 0.09 * math.sin(5 * t) ** 2), delta=1e-13)
        self.assertGreater(max(rows["kinetic"]) - min(rows["kinetic"]), 1)
        self.assertLess(summary["energy_error"], 1e-12)

    def test_motors(self):
        """Windows, a soft start and a table: way by way, then free; books close to second order, bits do not change."""
        residuals = []
        for step in (0.002, 0.001):
            summary, rows = self.by(MOTORS, f"m{step}", f"time.step={step}", "output.history.every=1")
            residuals.append(max(map(abs, rows["residual"])))
            self.assertEqual(summary["contact_events"], 1)
            self.assertLess(summary["momentum_error"], 1e-13)
            self.assertLess(summary["angular_momentum_error"], 1e-13)
            at = {round(t, 6): i for i, t in enumerate(rows["time"])}
            angle = math.atan2(rows["arm.z"][at[0.5]], rows["arm.x"][at[0.5]])
            self.assertAlmostEqual(angle, 3 * 0.05 + 3 * 0.4, delta=1e-12)
            self.assertNotAlmostEqual(math.atan2(rows["arm.z"][at[0.8]], rows["arm.x"][at[0.8]]), 2.25, delta=0.01)
            reach = [math.hypot(rows["hand.x"][at[t]], rows["hand.z"][at[t]]) for t in (0, 0.2, 0.8)]
            self.assertGreater(abs(reach[1] - reach[0]), 0.01)
            self.assertAlmostEqual(reach[2] - reach[1], 0.5 * (0.1 + 0.4), delta=1e-12)
        self.assertAlmostEqual(residuals[0] / residuals[1], 4, delta=0.2)
        whole = cli.result(self.folder / "m0.002")["state_hash"]
        self.assertEqual(self.same_bits(MOTORS, (3,), (0.4,), every=100)["state_hash"], whole)

    def test_impact_elsewhere(self):
        """Drifts with bounces are run several times: a linkage that takes no part in them flies as it does without them."""
        ways = []
        for step in ("box", "away"):
            scene = self.folder / f"{step}.yaml"
            scene.write_text(ELSEWHERE.replace("0.42], to: [5.3, 0.1, 0.6]", "9.42], to: [5.3, 0.1, 9.6]")
                             if step == "away" else ELSEWHERE, encoding="utf-8")
            summary, rows = self.by(scene, step)
            self.assertEqual(summary["contact_events"], 4 if step == "box" else 0)
            self.assertLess(summary["momentum_error"], 1e-13)
            self.assertLess(summary["angular_momentum_error"], 1e-13)
            ways.append([rows["tip.x"], rows["tip.z"]])
        self.assertEqual(*ways)

    def test_nodes_return_after_an_impact(self):
        """Nodes fly on chords and leave the arc of their body at an impact. They are back on it one step later."""
        _, rows = self.by(SWUNG, "swung")
        corners, centres = (zip(*(rows[f"{name}.{c}"] for c in "xyz")) for name in ("corner", "centre"))
        off = [abs(math.dist(corner, centre) - 0.75) for corner, centre in zip(corners, centres)]
        struck = [contacts > 0 for contacts in rows["contacts"]]
        self.assertEqual(sum(struck), 2)
        self.assertGreater(max(off), 1e-4)
        self.assertLess(max(d for d, hit in zip(off, struck) if not hit), 1e-14)

    def test_unit_of_mass(self):
        """Twice the mass gives the same motion to the last bit: all numbers of it are even powers of the unit of mass."""
        (_, once), (_, twice) = (self.by(SWUNG.replace("mass: 1", f"mass: {mass}"), f"mass{mass}") for mass in (1, 2))
        for name in "corner", "centre":
            for c in "xyz":
                self.assertEqual(once[f"{name}.{c}"], twice[f"{name}.{c}"])

    def test_falling(self):
        """Impacts at the start of a drift that is run again find the linkage as it is there: angular momentum to rounding."""
        summary, _ = self.by(FALLING, "falling")
        self.assertGreater(summary["contact_events"], 100)
        self.assertEqual(summary["intersections"], 0)
        self.assertLess(summary["momentum_error"], 1e-13)
        self.assertLess(summary["angular_momentum_error"], 1e-13)
        self.assertLess(summary["energy_error"], 1e-3)

    def test_stuck_directions(self):
        """Contacts across what joints leave: a box that a slider leads to the floor, with friction; a door on two hinges that
        stands on the floor; arms side by side on one axle, as near as 1e-8, joined to the ground or to each other."""
        for joints in ("{kind: slider, body: box, axis: [0, 0, 1]}",
                       "{kind: slider, body: box, axis: [0, 0, 1]}, {kind: upright, body: box}"):
            scene = STUCK.format(restitution=0.5, joints=joints, bodies=STUCK_BOX)
            summary, rows = self.by(scene, "box")
            self.assertGreater(summary["contact_events"], 3)
            self.assertLess(rows["kinetic"][-1], 1e-6)
            self.assertLess(max(map(abs, rows["residual"])), 1e-12)
        scene = STUCK.format(restitution=0, joints=STUCK_HINGES, bodies=STUCK_DOOR)
        summary, rows = self.by(scene, "door")
        self.assertLess(summary["energy_error"], 1e-13)
        self.assertAlmostEqual(rows["kinetic"][-1], rows["kinetic"][0], delta=1e-13)
        axle = "kind: hinge, at: [0, 0, 1], axis: [0, 1, 0]"
        for joints in (f"{{body: a, to: b, {axle}}}", f"{{body: a, {axle}}}, {{body: b, {axle}}}"):
            scene = STUCK.format(restitution=0.5, joints=joints, bodies=STUCK_ARMS)
            summary, rows = self.by(scene, "arms", "time.end=0.1")
            self.assertLess(summary["energy_error"], 1e-5)
            self.assertLess(summary["momentum_error"], 1e-12)
            self.assertEqual(summary["intersections"], 0)

    def test_linked_same_bits(self):
        """A four-bar and all other kinds among impacts: books close, threads and restarts change nothing."""
        whole = self.same_bits(LINKED, (1, 2, 3), (0.2,), every=100)
        self.assertGreater(whole["contact_events"], 10)
        self.assertEqual(whole["intersections"], 0)
        self.assertLess(whole["momentum_error"], 1e-13)
        # friction acts on both surfaces, a layer apart
        self.assertLess(whole["angular_momentum_error"], 1e-5)
        self.assertLess(whole["energy_error"], 1e-3)

    def test_squeezed(self):
        """A motor that presses a box on the floor does not run for hours: the run ends and says when."""
        scene = self.folder / "squeezed.yaml"
        scene.write_text("""
integrator: newmark-dcr
time: {end: 1, step: 0.001}
contact: {restitution: 0.5, friction: 0.3, planes: [{name: floor, normal: [0, 0, 1]}]}
bodies:
  - name: arm
    mesh: {box: {from: [0.02, -0.05, 0.35], to: [0.9, 0.05, 0.45], elements: [2, 1, 1]}}
    element: {rigid: {mass: 1}}
  - name: box
    mesh: {box: {from: [0.5, -0.1, 0.001], to: [0.7, 0.1, 0.2], elements: [1, 1, 1]}}
    element: {rigid: {mass: 0.3}}
joints:
  - {kind: hinge, body: arm, at: [0, 0, 0.4], axis: [0, 1, 0], speed: 1, ramp: 0.05}
output: {fields: {every: 0}}
""", encoding="utf-8")
        _, message = self.carom("run", scene, "-q", code=3)
        self.assertIn("impacts in the step at time 0.2", message)


if __name__ == "__main__":
    cli.main()
