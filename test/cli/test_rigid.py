# SPDX-License-Identifier: MIT
"""Rigid bodies through the command: closed forms, same bits for any number of threads and across a restart, refusals."""

import math
from pathlib import Path

import cli

SCENES = Path(__file__).resolve().parents[2] / "scenes/rigid"

FALLING = """
integrator: newmark-dcr
time: {end: 0.4, step: 0.002}
gravity: [0, 0, -10]
contact: {restitution: 0.3, friction: 0.4, planes: [{name: floor, normal: [0, 0, 1]}]}
bodies:
  - name: box
    mesh: {box: {from: [-0.15, -0.1, -0.1], to: [0.15, 0.1, 0.1], elements: [1, 1, 1]}}
    place: {axis: [0.3, 0.7, 0.2], angle: 25, translate: [0, 0, 0.3]}
    array: {copies: [2, 1, 3], spacing: [0.4, 0, 0.4]}
    element: {rigid: {density: 1000}}
output: {fields: {every: 0}, history: {bodies: true}}
"""


class Rigid(cli.SceneTest):
    def test_free_top(self):
        """A hundred thousand steps: energy and angular momentum to 1e-13."""
        self.run_scene(SCENES / "tumbling_top.yaml", "--set", "time.end=5000", "--set", "output.fields.every=0")
        rows = self.rows("history.csv")
        for row in rows:
            self.assertLess(abs(row["kinetic"] / rows[0]["kinetic"] - 1), 1e-13)
            for axis in ("lx", "ly", "lz"):
                self.assertLess(abs(row[axis] - rows[0][axis]), 1e-13 * 2)

    def test_intermediate_axis(self):
        """The top turns over: its angular velocity along the intermediate axis changes sign, with the period of the exact
        solution, up to an error of second order in the step."""
        times = []
        for step in (0.1, 0.05):
            self.run_scene(SCENES / "tumbling_top.yaml", "--set", f"time.step={step}", "--set", "time.end=60", name=str(step))
            rows = self.rows("probes.csv", str(step))
            # the corner (-1.5, -1, -0.5) turns about y; at a flip the sense of its turning about y in the body is reversed:
            # its y changes sign
            y = [row["corner.y"] for row in rows]
            flips = [rows[i]["time"] for i in range(1, len(y)) if y[i - 1] < 0 <= y[i] or y[i] < 0 <= y[i - 1]]
            self.assertGreater(len(flips), 2)
            times.append(flips[2] - flips[0])
        self.assertLess(abs(times[0] / times[1] - 1), 0.02)

    def stick(self, step, phase):
        turn, height = (0.3 + 2 * phase) * 180 / math.pi, 0.9 - 0.4 * phase
        steps = math.ceil((2 - phase) / step)
        text = (SCENES / "stick.yaml").read_text().replace("17.188733853924695", repr(turn))
        text = text.replace("[0, 0.9, 0]", f"[0, {height!r}, 0]")
        text = text.replace("stick.obj", str(SCENES / "stick.obj")).split("expect:")[0]
        scene = self.write(text)
        self.run_scene(scene, "--set", f"time.step={step!r}", "--set", f"time.end={steps * step!r}",
                       "--set", "output.history.bodies=true", "--set", "output.fields.every=0", name=f"{step}_{phase}")
        first, last = (self.rows("history.csv", f"{step}_{phase}")[i] for i in (0, -1))
        self.assertLess(abs(last["kinetic"] / first["kinetic"] - 1), 1e-14)
        probe = self.rows("probes.csv", f"{step}_{phase}")[-1]
        spin = (last["stick.lz"] - probe["stick.x"] * probe["stick.vy"]) / 0.08346666666666667
        return max(abs(probe["stick.vy"] - 0.3721651774915), abs(spin + 2.0633722301168))

    def test_stick(self):
        """An impact on chords: energy exact, errors of second order in the step."""
        errors = [max(self.stick(step, step * i / 4) for i in range(4)) for step in (0.1, 0.05, 0.025)]
        self.assertLess(errors[0], 7.2e-3)
        for coarse, fine in zip(errors, errors[1:]):
            self.assertGreater(coarse / fine, 3)

    def test_bounces_add_no_energy(self):
        """Contacts that bounce together, with friction: one box hops on another, and their energy hardly ever rises."""
        text = """
integrator: {method}
time: {{end: 0.6, step: 0.002}}
gravity: [0, 0, -10]
contact: {{restitution: 1, friction: 0.4, planes: [{{name: floor, normal: [0, 0, 1]}}]}}
bodies:
  - name: low
    mesh: &box {{box: {{from: [-0.1, -0.1, -0.1], to: [0.1, 0.1, 0.1], elements: [1, 1, 1]}}}}
    place: {{translate: [0, 0, 0.1005]}}
    element: {{rigid: {{density: 1000}}}}
  - name: high
    mesh: *box
    place: {{translate: [0.02, 0.03, 0.302]}}
    element: {{rigid: {{density: 300}}}}
output: {{fields: {{every: 0}}, history: {{every: 1}}}}
"""
        for method in ("newmark-dcr", "asynchronous"):
            self.run_scene(self.write(text.format(method=method)), name=method)
            lowest = rise = 0
            for row in self.rows("history.csv", method):
                lowest = min(lowest, row["total"])
                rise = max(rise, row["total"] - lowest)
            # 0.085 are dropped
            self.assertLess(rise, 0.002, method)

    def stack(self, count, method, step, friction, restitution):
        """The last row of a run of 1000 steps, and of the places of the boxes, which start a layer above each other."""
        text = f"""
integrator: {method}
time: {{end: {1000 * step!r}, step: {step!r}}}
gravity: [0, 0, -10]
contact: {{restitution: {restitution}, friction: {friction}, planes: [{{name: floor, normal: [0, 0, 1]}}]}}
bodies:
"""
        probes = []
        for i in range(count):
            place = [0.01 * (-1) ** i, 0.005 * (-1) ** i, 0.1 + 2e-5 + 0.20002 * i]
            text += f"""
  - name: box{i}
    mesh: {{box: {{from: [-0.1, -0.1, -0.1], to: [0.1, 0.1, 0.1], elements: [1, 1, 1]}}}}
    place: {{translate: {place}}}
    element: {{rigid: {{density: 1000}}}}
"""
            probes.append(f"{{name: p{i}, body: box{i}, record: [displacement]}}")
        text += f"output: {{fields: {{every: 0}}, history: {{every: 100}}, probes: [{', '.join(probes)}]}}\n"
        name = f"{count}_{method}_{step}_{friction}"
        self.run_scene(self.write(text), name=name)
        return self.rows("history.csv", name)[-1], self.rows("probes.csv", name)[-1]

    def test_half_a_turn_in_a_step(self):
        """Chords of nodes that turn by 1.5 radians in a step close where the bodies open: nothing intersects all the same."""
        scene = self.folder / "turns.yaml"
        scene.write_text("""
time: {end: 2, step: 1}
bodies:
  - name: ball
    mesh: {ball: {radius: 0.442, divisions: 1, layers: 1, cells: tet4}}
    element: {rigid: {density: 7.5}}
    place: {translate: [0.4556, -0.029126, 1.2849]}
    velocity: [0.095688, 0.48081, -1.3104]
    spin: [-1.321, -0.57428, -0.20782]
  - name: sphere
    mesh: {sphere: {radius: 0.619, faces: 80}}
    element: {rigid: {density: 1.26}}
    place: {translate: [-0.34726, -0.083463, -0.62333], angle: 243.2, axis: [0.8342, -0.4125, -0.366]}
    velocity: [0.51784, 0.29223, 0.90309]
  - name: ring
    mesh: {tube: {center: [0, 0, -0.253], inner: 0.79, outer: 1.13, height: 0.506, around: 6, slices: 1, cells: tet4}}
    element: {rigid: {density: 0.226}}
    place: {translate: [1.4445, 1.8252, -0.038756], angle: 309.5, axis: [-0.8788, -0.02057, -0.4767]}
    velocity: [-0.27796, -1.1364, 0.19539]
contact: {restitution: 0, friction: 0}
output: {history: {every: 1}}
""", encoding="utf-8")
        for method, step in (("newmark-dcr", 1), ("asynchronous", 0.6)):
            self.carom("run", scene, "-q", "-o", method, "--set", f"integrator={method}", "--set", f"time.step={step}")
            summary = cli.result(self.folder / method)
            self.assertEqual(summary["intersections"], 0)
            self.assertGreater(summary["contact_events"], 0)
            self.assertLess(summary["momentum_error"], 1e-14)
            self.assertLess(summary["energy_error"], 1e-12)

    def test_a_rod_that_jams(self):
        """Painleve's paradox: no step helps, and the message does not advise a smaller one; its own advice helps."""
        scene = self.folder / "rod.yaml"
        scene.write_text("""
integrator: newmark-dcr
time: {end: 0.1, step: 0.001}
gravity: [0, 0, -9.81]
bodies:
  - name: rod
    mesh: {box: {from: [-0.5, -0.01, -0.01], to: [0.5, 0.01, 0.01], elements: [1, 1, 1]}}
    element: {rigid: {density: 1}}
    place: {axis: [0, 1, 0], angle: 60, translate: [0, 0, 0.4385]}
    velocity: [-2, 0, 0]
contact: {restitution: 0.5, friction: 2, planes: [{name: floor, normal: [0, 0, 1]}]}
""", encoding="utf-8")
        for step in ("1e-3", "1e-4"):
            _, message = self.carom("run", scene, "-q", "--no-output", "--set", f"time.step={step}", code=3)
            self.assertIn("'rod' jams against 'floor' at time 0.009", message)
            self.assertNotIn("smaller time.step", message)
        for advice in ("contact.restitution=0", "contact.friction=0.9"):
            self.carom("run", scene, "-q", "--no-output", "--set", advice)

    def test_stacks_stay(self):
        """Stacks at rest: bodies neither creep nor rise, friction that holds them books nothing, and contact adds no energy."""
        for count, method, step, friction, restitution in (
                (3, "newmark-dcr", 0.004, 0.3, 0), (3, "newmark-dcr", 0.001, 0.5, 0.3), (3, "newmark-dcr", 0.002, 0, 0),
                (5, "newmark-dcr", 0.004, 0.3, 0), (3, "asynchronous", 0.002, 0.3, 0)):
            with self.subTest(count=count, method=method, step=step, friction=friction):
                row, places = self.stack(count, method, step, friction, restitution)
                layer, weight = 2e-5, 80 * count
                # a solve ends when a sweep changes a millionth of the layer in a step; what is left may be ten times that
                limit = 1e-2 * layer
                for i in range(count):
                    self.assertLess(abs(places[f"p{i}.uz"]), limit)
                    if friction:
                        self.assertLess(math.hypot(places[f"p{i}.ux"], places[f"p{i}.uy"]), limit)
                self.assertLess(abs(row["projection"]), 0.1 * weight * limit)
                self.assertLess(row["friction"], 1e-6 * weight * layer)
                self.assertLess(row["restitution"], 1e-6 * weight * layer)

    def test_standing_on_a_plane(self):
        """A box that is put on a plane is not thrown off, whatever the step: without gravity it stays to the last bit, with
        gravity it rises into the layer no faster than a kick presses it down."""
        text = """
integrator: {method}
time: {{end: {end}, step: {step}}}
gravity: [0, 0, {g}]
bodies:
  - name: box
    mesh: {{box: {{from: [0.5, 0, 0], to: [1.5, 1, 1], elements: [2, 2, 2]}}}}
    place: {{on: wall}}
    element: {{rigid: {{density: 1}}}}
contact: {{friction: 0.3, planes: [{{name: wall, point: [0, 0, 0.4], normal: {normal}}}]}}
output: {{probes: [{{name: box, body: box, set: center, record: [displacement, velocity]}}]}}
"""
        for method in "newmark-dcr", "asynchronous":
            for step in 1e-3, 1e-5, 1e-7:
                for normal, g in ("[0, 0.6, 0.8]", 0), ("[0, 0, 1]", 0), ("[0, 0, 1]", 10):
                    with self.subTest(method=method, step=step, normal=normal, g=g):
                        self.run_scene(self.write(text.format(method=method, end=200 * step, step=step, normal=normal, g=-g)))
                        last, row = self.rows("probes.csv")[-1], self.rows("history.csv")[-1]
                        speed = math.hypot(last["box.vx"], last["box.vy"], last["box.vz"])
                        self.assertLessEqual(speed, 1.0001 * g * step)
                        # to half the layer at most
                        self.assertLess(abs(last["box.uz"]), 2.6e-5 if g else 1e-15)
                        self.assertGreaterEqual(row["projection"], -g * 2.6e-5)

    def test_same_bits(self):
        """Any number of threads, and a run that was interrupted."""
        self.same_bits(FALLING, (1, 2, 3, 8), (0.252,))

    def test_probe_of_the_motion(self):
        """Rotation, angular velocity and momenta of a spinning box and of a turning obstacle: probes, history, gates, restart."""
        text = """
integrator: newmark-dcr
time: {end: 1, step: 0.01}
bodies:
  - name: box
    mesh: {box: {from: [-1, -1, -2], to: [1, 1, 2], elements: [1, 1, 1]}}
    place: {translate: [0, 0, 9]}
    element: {rigid: {density: 0.5}}
    velocity: [1, 2, 0]
    spin: [0, 0, -5]
  - name: wheel
    mesh: {box: {from: [5, 0, 0], to: [6, 1, 1], elements: [1, 1, 1]}}
    obstacle: {turn: {rate: 0.25, axis: [0, 1, 0]}}
output:
  fields: {every: 0}
  history: {bodies: true, every: 1}
  probes:
    - {name: box, body: box, set: center, record: [rotation, angular_velocity, momentum, angular_momentum]}
    - {name: wheel, body: wheel, record: [rotation, angular_velocity]}
expect: {box.rz: 1.284226 .. 1.284227, box.wz: -5.0000001 .. -4.9999999, box.px: 7.9999999 .. 8.0000001, box.lz: -26.67 .. -26.66,
         wheel.ry: 0.2499999 .. 0.2500001, wheel.wy: 0.2499999 .. 0.2500001}
"""
        scene = self.write(text)
        whole = self.run_scene(scene)
        rows, history = self.rows("probes.csv"), self.rows("history.csv")
        for i, row in enumerate(rows):
            # the midpoint rule turns by 2 atan(h w/2) in a step; beyond half a turn the vector points the other way
            angle = math.remainder(-2 * i * math.atan(0.025), 2 * math.pi)
            self.assertAlmostEqual(row["box.rz"], angle, delta=1e-12)
            self.assertEqual(row["box.rz"], history[i]["box.rz"])
            self.assertEqual(row["box.wz"], history[i]["box.wz"])
            self.assertEqual(row["box.py"], history[i]["box.py"])
            self.assertAlmostEqual(row["box.lz"], -80 / 3, delta=1e-12)
            self.assertAlmostEqual(row["wheel.ry"], 0.25 * i / 100, delta=1e-12)
        self.assertTrue(any(abs(row["box.rz"]) > 3.1 for row in rows))
        other = self.run_scene(self.write(text.split("output:")[0], "bare.yaml"), name="bare")
        self.assertEqual(other["state_hash"], whole["state_hash"])
        self.run_scene(self.write(text.split("expect:")[0], "open.yaml"), "--set", "time.end=0.37",
                       "--set", "output.checkpoint.every=1", name="cut")
        self.assertEqual(self.run_scene(scene, "--resume", name="cut")["state_hash"], whole["state_hash"])
        for file in ("probes.csv", "history.csv"):
            self.assertEqual((self.folder / "cut" / file).read_text(), (self.folder / "out" / file).read_text())

    def test_books(self):
        """Boxes that fall on each other with restitution and friction: the books close to rounding."""
        for restitution, friction in ((0.3, 0), (0.3, 0.4), (1, 0.4), (1, 0)):
            name = f"{restitution}_{friction}"
            summary = self.run_scene(self.write(FALLING), "--set", f"contact.restitution={restitution}",
                                     "--set", f"contact.friction={friction}", name=name)
            self.assertLess(summary["energy_error"], 1e-12, name)
            self.assertLess(summary["momentum_error"], 1e-12, name)
            self.assertEqual(summary["intersections"], 0)

    def test_thresholds(self):
        """A block of the width 0.5 and the height 1 on a slope: it slides where the slope exceeds the friction, tips where it
        exceeds 0.5, whichever is less, and stays below both, each by 1 %."""
        for friction, slope, motion in ((0.3, 0.297, "stays"), (0.3, 0.303, "slides"), (0.45, 0.4545, "slides"),
                                        (1, 0.495, "stays"), (1, 0.505, "tips"), (0.45, 0.51, "slides")):
            angle = math.atan(slope)
            along, down = 10 * math.sin(angle), 10 * math.cos(angle)
            # it starts at its resting height above the plane
            self.run_scene(self.write(f"""
integrator: newmark-dcr
time: {{end: 1.5, step: 0.002}}
gravity: [{along!r}, 0, {-down!r}]
contact: {{restitution: 0, friction: {friction}, planes: [{{name: floor, normal: [0, 0, 1]}}]}}
bodies:
  - name: block
    mesh: {{box: {{from: [0, 0, 0], to: [0.5, 0.5, 1], elements: [1, 1, 1]}}}}
    place: {{translate: [0, 0, 6.25e-5]}}
    element: {{rigid: {{density: 1}}}}
output:
  fields: {{every: 0}}
  probes:
    - {{name: foot, body: block, in_box: {{low: [0.49, -0.1, -0.1], high: [0.51, 1, 0.1]}}, record: [displacement]}}
    - {{name: top, body: block, in_box: {{low: [0.49, -0.1, 0.9], high: [0.51, 1, 1.1]}}, record: [displacement]}}
"""))
            row, name = self.rows("probes.csv")[-1], f"friction {friction}, slope {slope}"
            slid, tipped = row["foot.ux"], row["top.ux"] - row["foot.ux"]
            way = 0.5 * (along - friction * down) * 1.5**2
            self.assertLess(abs(slid - (way if motion == "slides" else 0)), 1e-6 if motion != "tips" else 1e-3, name)
            if motion == "tips":
                self.assertGreater(tipped, 0.4, name)
            else:
                self.assertLess(abs(tipped), 1e-9, name)

    def test_light_against_stiff(self):
        """A rigid body of a millionth of the mass of a steel block that it hits: no stiffness of its own limits the step, it
        leaves with the restitution, and nothing grows."""
        for restitution in (0, 0.5, 1):
            summary = self.run_scene(self.write(f"""
integrator: newmark-dcr
time: {{end: 4e-4, step: auto, safety: 0.5}}
contact: {{restitution: {restitution}}}
bodies:
  - name: block
    mesh: {{box: {{from: [-0.05, -0.05, -0.1], to: [0.05, 0.05, 0], elements: [4, 4, 4]}}}}
    element: hex8
    material: {{linear: {{young: 2e11, poisson: 0.3, density: 7800}}}}
  - name: grain
    mesh: {{box: {{from: [-0.005, -0.005, 1e-4], to: [0.005, 0.005, 0.0101], elements: [1, 1, 1]}}}}
    element: {{rigid: {{mass: 7.8e-6}}}}
    velocity: [0, 0, -1]
output: {{fields: {{every: 0}}, probes: [{{name: grain, body: grain, set: center, record: [velocity]}}]}}
"""))
            self.assertLess(abs(self.rows("probes.csv")[-1]["grain.vz"] - restitution), 5e-4)
            self.assertLess(summary["energy_error"], 1e-4)
            self.assertLess(summary["momentum_error"], 1e-14)
            self.assertEqual(summary["intersections"], 0)

    def test_rigid_limit(self):
        """Two elastic cubes that collide leave as rigid ones do, but for the time 2 l/c that the wave in them needs, which
        vanishes as their stiffness grows."""
        delays = []
        for young in (1e2, 1e4):
            bodies = "".join(f"""
  - name: cube_{sign}
    mesh: {{box: {{from: [{x}, 0, 0], to: [{x + 1}, 1, 1], elements: [16, 1, 1]}}}}
    element: hex8
    material: {{linear: {{young: {young}, poisson: 0, density: 1}}}}
    velocity: [{sign}, 0, 0]""" for x, sign in ((0, 1), (1.1, -1)))
            self.run_scene(self.write(f"""
integrator: newmark-dcr
time: {{end: 1, step: auto, safety: 0.5}}
contact: {{restitution: 0}}
bodies:{bodies}
output: {{fields: {{every: 0}}, history: {{bodies: true}}}}
"""))
            rows = self.rows("history.csv")
            speed = [row["cube_1.px"] for row in rows]
            way = sum(0.5 * (speed[i] + speed[i - 1]) * (rows[i]["time"] - rows[i - 1]["time"]) for i in range(1, len(rows)))
            # what is not returned is the vibration of 16 bricks
            self.assertLess(abs(speed[-1] + 1), 0.05)
            # rigid cubes meet at 0.05
            delays.append((way - (0.05 + 0.95 * speed[-1])) / (0.5 * (1 - speed[-1])))
            self.assertLess(abs(delays[-1] / (2 / math.sqrt(young)) - 1), 0.05)
        self.assertLess(abs(delays[0] / delays[1] / 10 - 1), 0.01)

    def test_light_body(self):
        """A rigid body a million times lighter than what it hits bounces off as from a wall."""
        scene = self.write("""
integrator: newmark-dcr
time: {end: 1, step: 0.01}
contact: {restitution: 1}
bodies:
  - name: heavy
    mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [1, 1, 1]}}
    element: {rigid: {mass: 1}}
  - name: light
    mesh: {sphere: {radius: 0.1, faces: 80}}
    place: {translate: [0.5, 0.5, 1.3]}
    element: {rigid: {mass: 1e-6}}
    velocity: [0, 0, -1]
output: {probes: [{name: light, body: light, set: center, record: [velocity]}]}
""")
        summary = self.run_scene(scene)
        row = self.rows("probes.csv")[-1]
        speed = math.sqrt(sum(row[f"light.v{axis}"] ** 2 for axis in "xyz"))
        self.assertGreater(row["light.vz"], 0.5)
        self.assertLessEqual(speed, 1 + 1e-12)
        self.assertLess(abs(summary["energy_error"]), 1e-12)

    def test_at_rest(self):
        """A block that is put on a plane and stays: nothing happens but its weight, and the books say so in any units."""
        for unit in (1, 1e-6):
            height = 0.5 * unit
            scene = self.write(f"""
integrator: newmark-dcr
time: {{end: 0.5, step: 0.001}}
gravity: [0, 0, {-10 * unit}]
contact: {{restitution: 0, friction: 0.4, planes: [{{name: floor, normal: [0, 0, 1]}}]}}
bodies:
  - name: block
    mesh: {{box: {{from: [0, 0, 0], to: [{unit}, {unit}, {height}], elements: [2, 2, 2]}}}}
    element: {{rigid: {{mass: 10}}}}
output: {{fields: {{every: 0}}, history: {{bodies: true}}, probes: [{{name: at, body: block, set: center, record: [position]}}]}}
""")
            self.run_scene(scene)
            row, books = self.rows("probes.csv")[-1], self.rows("history.csv")[-1]
            self.assertLess(abs(row["at.z"] / height - 0.5), 1e-4)
            self.assertLess(abs(row["at.x"] / unit - 0.5), 1e-12)
            self.assertLess(books["kinetic"], 1e-20 * unit**2)

    def test_fast_turn(self):
        """A body that turns by more than two radians in a step ends the run."""
        message = self.run_scene(SCENES / "tumbling_top.yaml", "--set", "time.step=2.5", code=3)
        self.assertIn("turns by", message)


if __name__ == "__main__":
    cli.main()
