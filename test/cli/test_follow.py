# SPDX-License-Identifier: MIT
"""Steps that follow the body: soft bodies that a fixed step would invert run to the end, and their bits depend on nothing but
the scene."""
import signal

import cli

SCENE = """\
title: A soft body meets a floor
integrator: newmark-dcr
time: {{end: {end}{time}}}
gravity: [0, 0, -9.81]
bodies:
  - name: body
    mesh: {mesh}
    element: {element}
    material: {{neo-hookean: {{young: 1.0e5, poisson: 0.4, density: 1000}}}}
    velocity: [0, 0, -{speed}]
    {place}
contact: {{restitution: 0, planes: [{{name: floor, normal: [0, 0, 1]}}]}}
output:
  history: {{every: {every}}}
"""

BALL = "{{ball: {{center: [0, 0, 0.301], radius: 0.3, divisions: 4, layers: 3, cells: {cells}}}}}"
ROD = "{{box: {{from: [0, 0, 0], to: [0.1, 0.1, 0.8], elements: [2, 2, 12], cells: {cells}}}}}"
BAR = """\
title: A bar with Green's strain is pulled to five lengths
integrator: newmark-dcr
time: {end: 80, safety: 0.5}
bodies:
  - name: bar
    mesh: {line: {from: [0, 0, 0], to: [1, 0, 0], elements: 10}}
    element: {bar: {strain: green}}
    material: {linear: {young: 1, density: 1}}
restraints:
  - {body: bar, set: start, fix: xyz}
  - {body: bar, set: end, fix: xyz, velocity: [0.05, 0, 0]}
contact: false
"""

SHELL = """\
title: A soft shell meets a floor
integrator: newmark-dcr
time: {end: 0.05}
bodies:
  - name: body
    mesh: {sphere: {radius: 0.3, faces: 320}}
    element: {loop-shell: {thickness: 0.02}}
    material: {LAW: {young: 1.0e5, poisson: 0.3, density: 1000}}
    velocity: [0, 0, -10]
    place: {translate: [0, 0, 0.31]}
contact: {restitution: 0, planes: [{name: floor, normal: [0, 0, 1]}]}
"""

TILTED = "place: {axis: [1, 0.3, 0], angle: 65, translate: [0, 0, 0.12]}"


class Follow(cli.CommandTest):
    def write(self, element, cells, speed, mesh=BALL, place="", end=0.15, every=20, time="", method="newmark-dcr"):
        path = self.folder / "scene.yaml"
        text = SCENE.format(mesh=mesh.format(cells=cells), element=element, speed=speed, place=place, end=end, every=every,
                            time=time)
        path.write_text(text.replace("newmark-dcr", method), encoding="utf-8")
        return path

    def drop(self, element, cells, speed, **keywords):
        self.carom("run", self.write(element, cells, speed, **keywords), "-o", "out", "--quiet")
        result = cli.result(self.folder / "out")
        self.assertTrue(result["completed"])
        self.assertLess(result["energy_error"], 0.01)
        self.assertLess(result["momentum_error"], 1e-13)
        events = {name: count for name, count in result["events"].items() if count and name != "contact_settled"}
        self.assertEqual(events, {})
        self.assertEqual(result["intersections"], 0)
        return result

    def test_balls_from_half_a_metre_and_from_five(self):
        for element, cells in (("tet4", "tet4"), ("hex8", "hex8"), ("nodal", "tet4"), ("nodal", "hex8")):
            for speed in (3.13, 9.9):
                with self.subTest(element=element, cells=cells, speed=speed):
                    result = self.drop(element, cells, speed)
                    if speed > 5:
                        self.assertGreater(result["division"]["parts"], 0)
                        self.assertLess(result["division"]["smallest_step"], result["step_size"])
                        self.assertIn("of body 'body'", result["division"]["element"])

    def test_nonsmooth_newmark(self):
        """Its steps are divided by the same rule, with and without contact; threads, rows and interruptions change no bit."""
        nonsmooth = {"method": "nonsmooth-newmark"}
        for element, cells in (("tet4", "tet4"), ("nodal", "hex8")):
            with self.subTest(element=element):
                result = self.drop(element, cells, 9.9, **nonsmooth)
                self.assertGreater(result["division"]["parts"], 0)
                self.assertGreater(result["contact_events"], 0)
        self.check_same_bits(self.write("tet4", "tet4", 9.9, **nonsmooth))
        self.check_resumed(self.write("tet4", "tet4", 9.9, every=1, end=0.3, **nonsmooth), (12, 16, 20))
        scene = self.write("tet4", "tet4", 9.9, method="{nonsmooth-newmark: {beta: 0.25}}")
        self.carom("run", scene, "-o", "out", "--quiet", "--set", "time.end=0.001")
        self.assertNotIn("division", cli.result(self.folder / "out"))

    def test_damping(self):
        """Unequal kicks with damping of mass and of stiffness: momentum is exact, and the books close."""
        for damping in ("damping: {mass: 2}", "damping: {stiffness: 2.0e-4}"):
            with self.subTest(damping=damping):
                result = self.drop("tet4", "tet4", 9.9, place=damping)
                self.assertGreater(result["division"]["parts"], 0)

    def test_thin_rod(self):
        for element in ("tet4", "nodal"):
            with self.subTest(element=element):
                self.drop(element, "tet4", 4, mesh=ROD, place=TILTED)

    def test_the_fixed_step_inverts(self):
        scene = self.write("tet4", "tet4", 9.9)
        self.carom("run", scene, "-o", "out", "--quiet", "--set", "time.follow=false", code=3)

    def test_what_is_said(self):
        scene = self.write("tet4", "tet4", 9.9)
        out, _ = self.carom("run", scene, "-o", "out")
        self.assertIn("(may be divided)", out)
        self.assertIn("Divided steps: ", out)
        out, _ = self.carom("info", "out")
        self.assertIn("Divided steps: ", out)

    def test_same_bits(self):
        self.check_same_bits(self.write("tet4", "tet4", 9.9))

    def check_same_bits(self, scene):
        hashes = set()
        for number, more in enumerate((["--threads", "1"], ["--threads", "2"], ["--threads", "5"],
                                       ["--set", "output.history.every=1"], ["--set", "output.history.every=100000"])):
            self.carom("run", scene, "-o", f"out{number}", "--quiet", *more)
            result = cli.result(self.folder / f"out{number}")
            self.assertGreater(result["division"]["parts"], 0)
            hashes.add(result["state_hash"])
        self.assertEqual(len(hashes), 1, hashes)

    def check_resumed(self, scene, counts):
        """Interrupted again and again where steps are divided, a run ends with the bits of one that was left alone."""
        self.carom("run", scene, "-o", "whole", "--quiet")
        whole = cli.result(self.folder / "whole")
        self.assertGreater(whole["division"]["parts"], 0)
        arguments, stopped = ["run", scene, "-o", "cut", "--quiet"], 0
        for rows in counts:
            process = self.start(*arguments)
            history = self.folder / "cut/history.csv"
            cli.wait_for(lambda: process.poll() is not None or
                         (history.exists() and history.read_bytes().count(b"\n") >= rows))
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=600)
            if process.returncode == 0:
                break
            # the rows may be there already: a signal before the run has begun ends the process and changes nothing
            if "--resume" in arguments and process.returncode == -signal.SIGINT:
                continue
            self.assertEqual(process.returncode, 130)
            stopped += 1
            arguments = ["run", scene, "-o", "cut", "--quiet", "--resume"]
        self.assertGreater(stopped, 0)
        if process.returncode != 0:
            self.carom(*arguments)
        self.assertEqual(cli.result(self.folder / "cut")["state_hash"], whole["state_hash"])

    def test_resumed_among_divided_steps(self):
        # parts are taken from the tenth step on
        self.check_resumed(self.write("tet4", "tet4", 9.9, every=1, end=0.6), (12, 16, 20, 30))

    def test_shells_resumed_among_divided_steps(self):
        scene = self.folder / "shell.yaml"
        scene.write_text(SHELL.replace("LAW", "neo-hookean") + "output: {history: {every: 1}}\n", encoding="utf-8")
        self.check_resumed(scene, (4, 6))

    def test_steps_that_are_not_divided(self):
        """A body outgrows a step that nobody divides: the run ends, the same way whatever is written."""
        bar = self.folder / "bar.yaml"
        # pulled so slowly that a check of the step, one in 64, comes before the energy tells
        slow = BAR.replace("[0.05, 0, 0]", "[0.02, 0, 0]")
        for integrator in ("newmark-dcr", "nonsmooth-newmark"):
            bar.write_text(slow.replace("newmark-dcr", integrator), encoding="utf-8")
            said = set()
            for every in (1, 7, 100000):
                _, err = self.carom("run", bar, "-o", "out", "--quiet", "--set", "time.follow=false",
                                    "--set", f"output.history.every={every}", code=3)
                said.add(err.split(";")[0])
                self.assertEqual(cli.result(self.folder / "out")["events"]["unstable_step"], 1)
            self.assertEqual(len(said), 1, said)
            self.assertRegex(said.pop(), r"the step is unstable: 1\.\d+ times the stable one of body 'bar'")
            # counted and passed over, until the energy tells
            _, err = self.carom("run", bar, "-o", "out", "--quiet", "--set", "time.follow=false", "--set", "time.on_event=warn",
                                code=3)
            self.assertIn("the motion is unstable", err)
            # a step that is short enough for the longest bar: omega = 2 c (stretch^2 + (stretch^2 - 1)/2)^0.5/l
            self.carom("run", bar, "-o", "out", "--quiet", "--set", "time.follow=false", "--set", "time.step=0.016")
            self.assertEqual(cli.result(self.folder / "out")["events"]["unstable_step"], 0)

    def test_what_check_says(self):
        scene = self.write("tet4", "tet4", 9.9)
        for more, said in (((), True), (("time.follow=false",), False), (("time.step=1e-4",), False),
                           (("time.step=1e-4", "time.follow=true"), True), (("contact.resolve=projection",), False)):
            out, _ = self.carom("check", scene, *(word for entry in more for word in ("--set", entry)))
            self.assertEqual(said, "steps may be divided" in out, out)

    def test_green_bar_pulled(self):
        path = self.folder / "bar.yaml"
        path.write_text(BAR, encoding="utf-8")
        self.carom("run", path, "-o", "bar", "--quiet")
        result = cli.result(self.folder / "bar")
        self.assertTrue(result["completed"])
        self.assertLess(result["energy_error"], 1e-3)
        self.assertGreater(result["division"]["parts"], 0)
        self.assertEqual(sum(result["events"].values()), 0)

    def test_shells(self):
        """A rubber shell is folded by a floor: the fixed step turns layers inside out. The other law takes it, less exactly."""
        path = self.folder / "shell.yaml"
        for law, fixed in (("st-venant-kirchhoff", 0), ("neo-hookean", 3)):
            with self.subTest(law=law):
                path.write_text(SHELL.replace("LAW", law), encoding="utf-8")
                self.carom("run", path, "-o", "fixed", "--quiet", "--set", "time.follow=false", code=fixed)
                hashes = set()
                for threads in (1, 2, 5):
                    self.carom("run", path, "-o", "shell", "--quiet", "--threads", str(threads))
                    result = cli.result(self.folder / "shell")
                    self.assertTrue(result["completed"])
                    self.assertGreater(result["division"]["parts"], 0)
                    self.assertLess(result["momentum_error"], 1e-13)
                    self.assertLess(result["energy_error"], 0.05)
                    hashes.add(result["state_hash"])
                self.assertEqual(len(hashes), 1, hashes)
                if not fixed:
                    self.assertLess(result["energy_error"], 0.5 * cli.result(self.folder / "fixed")["energy_error"])


if __name__ == "__main__":
    cli.main()
