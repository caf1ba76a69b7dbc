# SPDX-License-Identifier: MIT
"""Forces by a device have the bits of the processor: files, states, restarts; and what a device cannot do is refused by name. The
processor plays the device (CAROM_DEVICE_EMULATE); with CAROM_TEST_GPU in the environment the GPU of this machine does the work."""
import os
import re
import subprocess
import sys
from pathlib import Path

import cli

GOLDEN = Path(__file__).resolve().parents[1] / "determinism" / "golden"
DEVICE = dict(os.environ) if "CAROM_TEST_GPU" in os.environ else dict(os.environ, CAROM_DEVICE_EMULATE="1")
NO_DEVICE = dict(os.environ, CAROM_CUDA_OBJECT="/nonexistent/libcarom-cuda.so")
NO_DEVICE.pop("CAROM_DEVICE_EMULATE", None)
OF_THE_RUN = re.compile(r'^\s*"(wall_seconds|threads|threads_used|device)":')

SCENE = """\
integrator: newmark-dcr
time: {{end: {end}, step: auto, follow: {follow}}}
gravity: [0, {gravity}, 0]
bodies:
  - name: low
    mesh: {low}
    element: {element}
    material: {{{law}: {{young: 200, poisson: 0.3, density: 1}}}}
    damping: {{mass: 0.05}}
  - name: high
    mesh: {high}
    element: {element}
    material: {{{law}: {{young: 100, poisson: 0.2, density: 1}}}}
    velocity: [0.3, -2, {z}]
restraints: [{{body: low, set: xmin, fix: xyz}}]
loads: [{{body: high, set: xmax, force: [0.2, 0.1, 0], ramp: 0.1}}]
contact: {{restitution: 0.4, friction: 0.3}}
output: {{history: {{every: 3, bodies: true}}, fields: {{every: 20}}}}
"""


# Blocks that strike a floor and flow, each with an element and a law of its own.
BLOCK = """\
  - name: {name}
    mesh: {{box: {{from: [{x}, 0, 1.0e-5], to: [{end}, 0.004, 0.006], elements: [3, 3, 4], cells: {cells}}}}}
    element: {element}
    material: {material}
    velocity: [20, 0, {speed}]
"""
BLOCKS = """\
integrator: newmark-dcr
time: {{end: 1.2e-5, step: auto, safety: 0.5}}
bodies:
{bodies}
contact: {{restitution: 0, friction: 0.2, planes: [{{name: floor, normal: [0, 0, 1]}}]}}
output: {{history: {{every: {every}, bodies: true, peaks: {peaks}}}, fields: {{every: 20}}}}
"""
STEEL = "young: 124e9, poisson: 0.34, density: 8960"
METALS = {
    "linear": f"j2: {{{STEEL}, yield: 100e6, modulus: 100e6}}",
    "voce": f"j2: {{{STEEL}, hardening: voce, yield: 200e6, saturation: 500e6, modulus: 50e6, decay: 8}}",
    "table": f"j2: {{{STEEL}, hardening: table, curve: [[0, 300e6], [0.1, 420e6], [0.5, 500e6]]}}",
    "swift": f"j2: {{{STEEL}, hardening: swift, strength: 500e6, exponent: 0.2, prestrain: 0.01}}",
    "hot": f"j2: {{{STEEL}, hardening: johnson-cook, yield: 90e6, strength: 292e6, exponent: 0.31, rate: 0.025, reference_rate: 1, "
           "softening: 1.09, temperature: 293, melting: 1356, heat_capacity: 383}",
    "damped": f"viscoelastic: {{law: j2, {STEEL}, yield: 100e6, prony: [[0.2, 1e-6]]}}",
}
SOFT = {
    "hencky": "viscoelastic: {young: 3e9, poisson: 0.35, density: 1000, prony: [[0.5, 1e-6], [0.3, 1e-5]]}",
    "slow": "viscoelastic: {law: ogden, terms: [[1e6, 2.5], [-2e5, -2]], bulk: 1e9, density: 1000, prony: [[2, 1e-6]]}",
    "yeoh": "yeoh: {c1: 1e6, c2: 1e4, c3: 1e3, bulk: 1e9, density: 1000}",
    "gent": "gent: {shear: 1e6, limit: 30, bulk: 1e9, density: 1000}",
    "ogden": "ogden: {terms: [[1e6, 2.5], [-2e5, -2]], bulk: 1e9, density: 1000}",
    "mooney": "mooney-rivlin: {c10: 1e6, c01: 1e5, bulk: 1e9, density: 1000}",
}
AVERAGED = (("hex8", "{hex8: {integration: mean-dilatation}}"), ("tet4", "{tet4: {volume: nodal}}"))
NODAL = (("tet4", "nodal"), ("hex8", "nodal"))
ORDINARY = (("hex8", "hex8"), ("tet4", "tet4"))


def solids(cells):
    return {"low": f"{{box: {{from: [0, 0, 0], to: [1, 0.4, 1], elements: [4, 2, 4], cells: {cells}}}}}",
            "high": f"{{box: {{from: [0.2, 0.42, 0.3], to: [0.8, 0.8, 0.9], elements: [3, 2, 3], cells: {cells}}}}}", "z": 0.1}


def sheets(cells):
    return {"low": f"{{rectangle: {{from: [0, 0, 0], to: [1, 0.4, 0], columns: 7, rows: 3, cells: {cells}}}}}",
            "high": f"{{rectangle: {{from: [0.2, 0.42, 0], to: [0.8, 0.8, 0], columns: 5, rows: 3, cells: {cells}}}}}", "z": 0}


class Device(cli.CommandTest):
    def write(self, element, law, shape, end=0.25, follow="auto", gravity=-1):
        path = self.folder / "scene.yaml"
        path.write_text(SCENE.format(element=element, law=law, end=end, follow=follow, gravity=gravity, **shape), encoding="utf-8")
        return path

    def files(self, directory):
        found = {}
        for path in sorted(directory.rglob("*")):
            if path.is_file():
                content = path.read_bytes()
                if path.name == "summary.json":
                    content = [line for line in content.decode().splitlines() if not OF_THE_RUN.match(line)]
                found[str(path.relative_to(directory))] = content
        return found

    def both(self, scene, *arguments):
        """Runs by the processor and by the device; all files are equal."""
        self.carom("run", scene, "-o", "cpu", "--threads", 1, *arguments)
        out, _ = self.carom("run", scene, "-o", "gpu", "--threads", 2, "--device", "gpu", *arguments, env=DEVICE)
        self.assertRegex(out, r"threads?, forces by \S")
        processor, device = self.files(self.folder / "cpu"), self.files(self.folder / "gpu")
        self.assertEqual(processor.keys(), device.keys())
        self.assertGreater(len(processor), 3)
        for name, content in processor.items():
            self.assertEqual(content, device[name], f"{name} of {scene}")
        sides = [cli.result(self.folder / side)["device"] for side in ("cpu", "gpu")]
        self.assertEqual(sides[0], "cpu")
        self.assertIn("GPU" if "CAROM_DEVICE_EMULATE" in DEVICE else "NVIDIA", sides[1])
        return cli.result(self.folder / "gpu")

    def test_golden_scenes(self):
        for name in ("dcr_balls", "dcr_bars", "dcr_bricks", "dcr_crush", "dcr_nodal", "dcr_shells", "dcr_projection",
                     "rubbers"):
            with self.subTest(name):
                hashes = dict(line.split() for line in (GOLDEN / "hashes.txt").read_text(encoding="utf-8").splitlines()
                              if not line.startswith("#"))
                summary = self.both(GOLDEN / f"{name}.yaml", "--set", "output.history.every=5")
                self.assertEqual(summary["state_hash"], hashes[name])

    def test_solids(self):
        for element in ("tet4", "hex8", "{hex8: {integration: one-point}}", "nodal"):
            for law in ("linear", "st-venant-kirchhoff", "neo-hookean"):
                with self.subTest(f"{element} of {law}"):
                    summary = self.both(self.write(element, law, solids("tet4" if element == "tet4" else "hex8"), end=0.12))
                    self.assertGreater(summary["contact_events"], 0)

    def test_sheets(self):
        for cells in ("tri3", "quad4"):
            for plane, laws in (("strain", ("linear", "st-venant-kirchhoff", "neo-hookean")),
                                ("stress", ("linear", "st-venant-kirchhoff"))):
                for law in laws:
                    with self.subTest(f"{cells}, plane {plane}, {law}"):
                        self.both(self.write(f"{{{cells}: {{plane: {plane}, thickness: 0.1}}}}", law, sheets(cells), end=0.12))

    def test_shells(self):
        for integration in ("one-point", "three-point"):
            with self.subTest(integration):
                self.both(self.write(f"{{loop-shell: {{thickness: 0.02, integration: {integration}}}}}", "st-venant-kirchhoff",
                                     sheets("tri3") | {"z": 0.2}, end=0.1))

    def last(self, column):
        """The last number of a column of the history of the device."""
        lines = (self.folder / "gpu" / "history.csv").read_text(encoding="utf-8").splitlines()
        return float(dict(zip(lines[0].split(","), lines[-1].split(",")))[column])

    def blocks(self, laws, elements, speed, every=5, peaks="true"):
        """A body for each law, with the elements by turns."""
        bodies = []
        for i, (name, law) in enumerate(laws.items()):
            cells, element = elements[i % len(elements)]
            bodies.append(BLOCK.format(name=name, x=0.006 * i, end=0.006 * i + 0.004, cells=cells, element=element,
                                       material=f"{{{law}}}", speed=speed))
        path = self.folder / "blocks.yaml"
        path.write_text(BLOCKS.format(bodies="".join(bodies).rstrip("\n"), every=every, peaks=peaks), encoding="utf-8")
        return path

    def test_metals(self):
        """Laws with history: every hardening and viscous branches; rows and peaks look at the history, or nobody does."""
        for elements in (AVERAGED, AVERAGED[::-1], (("hex8", "{hex8: {integration: one-point}}"),), NODAL):
            for words in (dict(every=5), dict(every=1000, peaks="false")):
                with self.subTest(f"{elements[0][1]}, {words}"):
                    self.both(self.blocks(METALS, elements, -200, **words))
                    self.assertGreater(self.last("plasticity"), 0)
                    self.assertGreater(self.last("viscosity"), 0)

    def test_stiffness_damping(self):
        words = ("--set", "bodies[0].damping.stiffness=2e-3", "--set", "bodies[1].damping.stiffness=1e-3")
        for element, law, shape in (("tet4", "neo-hookean", solids("tet4")), ("hex8", "linear", solids("hex8")),
                                    ("{hex8: {integration: one-point}}", "neo-hookean", solids("hex8")),
                                    ("nodal", "st-venant-kirchhoff", solids("hex8")),
                                    ("{tri3: {plane: strain, thickness: 0.1}}", "linear", sheets("tri3")),
                                    ("{loop-shell: {thickness: 0.02}}", "st-venant-kirchhoff", sheets("tri3") | {"z": 0.2})):
            with self.subTest(f"{element} of {law}"):
                scene = self.write(element, law, shape, end=0.06)
                scene.write_text(scene.read_text(encoding="utf-8").replace("damping: {mass: 0.05}", "damping: {mass: 0}"), encoding="utf-8")
                self.both(scene, *words)
                self.assertGreater(self.last("damping"), 0)
        for elements in (AVERAGED, AVERAGED[::-1], NODAL):
            with self.subTest(elements[0][1]):
                scene = self.blocks(METALS, elements, -200)
                words = [word for i in range(0, len(METALS), 2) for word in ("--set", f"bodies[{i}].damping.stiffness=1e-8")]
                self.both(scene, "--set", "time.end=4e-6", *words)

    def test_soft_bodies(self):
        for elements in (AVERAGED, AVERAGED[::-1], NODAL[::-1], ORDINARY, ORDINARY[::-1]):
            with self.subTest(elements[0][1]):
                self.both(self.blocks(SOFT, elements, -30))

    def test_history_changes_sides_at_a_checkpoint(self):
        scene = self.blocks(METALS, AVERAGED, -200, every=10, peaks="false")
        words = ("--set", "time.step=1e-8", "--set", "time.end=6e-7", "--set", "output.checkpoint.every=20")
        self.carom("run", scene, "-o", "whole", *words)
        for first, second in (("cpu", "gpu"), ("gpu", "cpu")):
            with self.subTest(f"from {first} to {second}"):
                self.carom("run", scene, "-o", first, *words, "--set", "time.end=4e-7", "--device", first, env=DEVICE)
                self.carom("run", scene, "-o", first, *words, "--resume", "--device", second, env=DEVICE)
                self.assertEqual(cli.result(self.folder / first)["state_hash"], cli.result(self.folder / "whole")["state_hash"])
                self.assertEqual(self.files(self.folder / first)["history.csv"], self.files(self.folder / "whole")["history.csv"])

    def test_bars(self):
        self.both(self.scene(end=8, every=1, frames=20))

    def test_changes_sides_at_a_checkpoint(self):
        scene = self.write("tet4", "neo-hookean", solids("tet4"), end=0.2, follow="true")
        words = ("--set", "time.step=0.004", "--set", "output.checkpoint.every=10")
        self.carom("run", scene, "-o", "whole", *words)
        whole = self.files(self.folder / "whole")
        for first, second in (("cpu", "gpu"), ("gpu", "cpu")):
            with self.subTest(f"from {first} to {second}"):
                self.carom("run", scene, "-o", first, *words, "--set", "time.end=0.12", "--device", first, env=DEVICE)
                out, _ = self.carom("run", scene, "-o", first, *words, "--resume", "--device", second, env=DEVICE)
                self.assertIn("20 steps in ", out)
                self.assertIn(" after 30 before this resumption", out)
                self.assertEqual("forces by " in out, second == "gpu")
                self.assertEqual(cli.result(self.folder / first)["state_hash"], cli.result(self.folder / "whole")["state_hash"])
                self.assertEqual(self.files(self.folder / first)["history.csv"], whole["history.csv"])

    def test_motion_stays(self):
        """Whole steps of given length: nodes inside bodies stay on the device; gravity, mass damping, bounces and friction."""
        shape = {"low": "{box: {from: [0, 0, 0], to: [1, 0.7, 1], elements: [6, 5, 6], cells: CELLS}}",
                 "high": "{box: {from: [0.2, 0.71, 0.3], to: [0.8, 1.2, 0.9], elements: [5, 5, 5], cells: CELLS}}", "z": 0.1}
        for cells, law, follow, words in (
                ("tet4", "neo-hookean", "false", ()), ("hex8", "linear", "false", ("contact.restitution=0",)),
                ("tet4", "linear", "false", ("contact.restitution=1", "output.history.every=40")),
                # elements are looked at, and steps divided, where the body asks for it
                ("tet4", "neo-hookean", "auto", ("output.history.every=50", "output.checkpoint.every=20")),
                ("hex8", "neo-hookean", "auto", ("bodies[1].velocity=[0,-9,0]", "output.history.every=50"))):
            with self.subTest(f"{cells} of {law}, follow: {follow}, {words}"):
                own = {key: text.replace("CELLS", cells) if isinstance(text, str) else text for key, text in shape.items()}
                scene = self.write(cells, law, own, end=0.3, follow=follow)
                summary = self.both(scene, *(word for text in words for word in ("--set", text)))
                self.assertGreater(summary["contact_events"], 50)
        # 427 + 216 nodes, of which 164 are inside: without that 24 bytes of each would go there in each of the steps
        scene = self.write("tet4", "linear", {key: text.replace("CELLS", "tet4") if isinstance(text, str) else text
                                              for key, text in shape.items()}, end=0.3, follow="false")
        out, _ = self.carom("run", scene, "--no-output", "--device", "gpu", "--profile", env=DEVICE)
        steps = int(re.search(r"(\d+) steps in ", out)[1])
        copied = 1e9 * float(re.search(r" (\S+) GB copied there", out)[1])
        self.assertLess(copied, 0.85 * 24 * 510 * steps)
        # whoever leaves out the largest stresses does not pay for them: less comes back, and as much goes there
        one = [self.carom("run", scene, "--no-output", "--device", "gpu", "--profile", "--set", "output.history.every=1000",
                          "--set", f"output.history.peaks={peaks}", env=DEVICE)[0] for peaks in ("true", "false")]
        there, back = ([float(re.search(rf" (\S+) GB (?:copied )?{way}", text)[1]) for text in one] for way in ("there", "back"))
        self.assertEqual(there[0], there[1])
        self.assertLess(back[1], back[0])

    def test_large_islands(self):
        """Blocks with a thousand contacts between them: the device sweeps over these, with and without friction, and while they
        bounce, slide and part; also from a checkpoint on, and beside restrained nodes, of which the threads take care."""
        shape = {"low": "{box: {from: [0, 0, 0], to: [1, 0.1, 1], elements: [13, 2, 13], cells: tet4}}",
                 "high": "{box: {from: [0.02, 0.1001, 0.03], to: [0.98, 0.2, 0.95], elements: [14, 2, 13], cells: tet4}}", "z": 0.1}
        for words, swept in ((("contact.friction=0", "contact.restitution=0"), True), (("contact.restitution=0",), True),
                             (("contact.restitution=0.4", "time.end=0.05", "contact.friction={static: 0.3, kinetic: 0.1, decay: 2}"), True),
                             (("restraints[0].set=ymax", "restraints[0].fix=y", "contact.restitution=0"), False)):
            with self.subTest(f"{words}"):
                scene = self.write("tet4", "neo-hookean", shape, end=0.03, follow="false", gravity=-20)
                words = [word for text in words for word in ("--set", text)]
                self.assertGreater(self.both(scene, *words)["contact_events"], 1000)
                out, _ = self.carom("run", scene, "--no-output", "--device", "gpu", "--profile", *words, env=DEVICE)
                islands = int(re.search(r" (\d+) islands of contacts solved", out)[1])
                self.assertEqual(islands > 2, swept, out)
        # of one side and of the other
        words = ("--set", "contact.restitution=0", "--set", "output.checkpoint.every=5")
        self.carom("run", scene, "-o", "whole", *words)
        for first, second in (("cpu", "gpu"), ("gpu", "cpu")):
            self.carom("run", scene, "-o", first, *words, "--set", "time.end=0.02", "--device", first, env=DEVICE)
            self.carom("run", scene, "-o", first, *words, "--resume", "--device", second, env=DEVICE)
            self.assertEqual(cli.result(self.folder / first)["state_hash"], cli.result(self.folder / "whole")["state_hash"])

    def test_motion_stays_with_planes_and_rigid_bodies(self):
        path = self.folder / "scene.yaml"
        path.write_text("""\
integrator: newmark-dcr
time: {end: 0.4, step: 0.002}
gravity: [0, -10, 0]
bodies:
  - name: soft
    mesh: {box: {from: [0, 0.001, 0], to: [1, 0.6, 1], elements: [5, 4, 5], cells: hex8}}
    element: hex8
    material: {neo-hookean: {young: 5000, poisson: 0.3, density: 10}}
  - name: hard
    mesh: {box: {from: [0.2, 0.62, 0.2], to: [0.7, 1, 0.7], elements: [2, 2, 2], cells: hex8}}
    element: {rigid: {density: 20}}
    velocity: [0.5, -1, 0]
contact: {restitution: 0.2, friction: 0.4, planes: [{name: floor, normal: [0, 1, 0]}]}
output: {history: {every: 7, bodies: true}, fields: {every: 25}}
""", encoding="utf-8")
        self.assertGreater(self.both(path)["contact_events"], 50)

    def test_motion_that_fails_returns(self):
        """A step beyond the stable one: the run ends at the same step with the same message and the same files."""
        scene = self.write("tet4", "neo-hookean", solids("tet4"), end=3, follow="false")
        words = ("--set", "time.step=0.02", "--set", "time.on_event=warn")
        ends = []
        for device in ("cpu", "gpu"):
            _, err = self.carom("run", scene, "-o", device, "--device", device, *words, code=3, env=DEVICE)
            ends.append(err.replace(str(self.folder / device), ""))
        self.assertEqual(ends[0].replace("cpu/", ""), ends[1].replace("gpu/", ""))
        self.assertEqual(self.files(self.folder / "cpu"), self.files(self.folder / "gpu"))

    def fails_alike(self, scene, message):
        ends = []
        for device in ("cpu", "gpu"):
            _, err = self.carom("run", scene, "-o", device, "--device", device, code=3, env=DEVICE)
            ends.append(re.sub(f"{device}/", "", err.splitlines()[-1]))
        self.assertRegex(ends[0], message)
        self.assertEqual(ends[0], ends[1])
        self.assertEqual(self.files(self.folder / "cpu"), self.files(self.folder / "gpu"))

    def test_device_checks_and_keeps(self):
        """The device sees that an element is inside out, or has turned; its copies of earlier states are those of the processor."""
        path = self.folder / "scene.yaml"
        text = """\
integrator: newmark-dcr
time: {end: 60, step: 0.04, follow: false}
bodies:
  - name: low
    mesh: {box: {from: [0, 0, 0], to: [1, 0.4, 1], elements: [5, 4, 5], cells: CELLS}}
    element: ELEMENT
    material: {LAW: {young: 2, poisson: 0.3, density: 1}}
    spin: [0, 0, 0.1]
restraints: [{body: low, set: xmin, fix: xyz}]
loads: [{body: low, set: xmax, force: [-1, 0, 0], ramp: 60}]
output: {history: {every: 5000}, fields: {every: 5000}}
"""
        for cells, element in (("tet4", "tet4"), ("hex8", "hex8"), ("hex8", "nodal")):
            with self.subTest(element):
                path.write_text(text.replace("CELLS", cells).replace("ELEMENT", element).replace("LAW", "st-venant-kirchhoff"),
                                encoding="utf-8")
                self.fails_alike(path, r"is inside out at .*; step (?!0 )\d+ is saved")
        # an unstable sheet: elements for which the law has no answer are left to the processor, also in the step of the
        # audit to which the run returns
        path.write_text("""\
integrator: newmark-dcr
time: {end: 0.3, step: auto, safety: 0.99, follow: false, on_event: warn}
bodies:
  - name: a
    mesh: {rectangle: {from: [-0.6, -0.6, -0.2], to: [0.6, 0.6, -0.2], columns: 9, rows: 20, cells: tri3}}
    element: {loop-shell: {thickness: 0.2, integration: one-point}}
    material: {st-venant-kirchhoff: {young: 2000, poisson: 0.49, density: 0.3}}
    spin: [26.4, 0, 249.7]
output: {history: {every: 7, bodies: true, peaks: true}, fields: {every: 40}, checkpoint: {every: 25}}
""", encoding="utf-8")
        self.fails_alike(path, r"is unstable at .*; step (?!0 )\d+ is saved")
        # a body that turns freely
        free = "".join(line for line in text.splitlines(keepends=True) if not line.startswith(("restraints", "loads")))
        for cells, element in (("tet4", "tet4"), ("hex8", "{hex8: {integration: one-point}}")):
            with self.subTest(f"{element} that turns"):
                path.write_text(free.replace("CELLS", cells).replace("ELEMENT", element).replace("LAW", "linear")
                                .replace("end: 60", "end: 6"), encoding="utf-8")
                self.assertEqual(self.both(path)["events"]["large_rotation"], 1)

    def refused(self, scene, *words, message, env=None):
        out, err = self.carom("run", scene, "--no-output", "--device", "gpu", *words, code=2, env=env or DEVICE)
        self.assertEqual(out, "")
        self.assertEqual(err.count("\n"), 1, err)
        self.assertIn(message, err)

    def test_refusals(self):
        self.refused(GOLDEN / "dcr_plane.yaml", message="body 'disc': tri3 with plane: stress of neo-hookean is not on the device yet")
        self.refused(GOLDEN / "asynchronous_solids.yaml", message="asynchronous is not on the device yet: use newmark-dcr\n")
        self.refused(GOLDEN / "metals.yaml", message="body 'sheet': loop-shell of j2 is not on the device yet")
        self.refused(GOLDEN / "viscous.yaml", message="body 'shell': loop-shell of viscoelastic is not on the device yet")
        one_point = (("hex8", "{hex8: {integration: one-point}}"),)
        self.refused(self.blocks({"rubber": SOFT["yeoh"]}, one_point, -30), message="body 'rubber': hex8 with integration: one-point of yeoh is not on the device yet: "
                     "use integration: full or integration: mean-dilatation\n")
        self.refused(self.write("tet4", "neo-hookean", solids("tet4")), env=NO_DEVICE, message="no GPU can be used: ")
        off = dict(NO_DEVICE, CAROM_DEVICE_EMULATE="0")
        self.refused(self.write("tet4", "neo-hookean", solids("tet4")), env=off, message="no GPU can be used: ")

    def test_auto_falls_back_and_says_so(self):
        scene = self.write("tet4", "neo-hookean", solids("tet4"), end=0.05)
        out, _ = self.carom("run", scene, "--no-output", "--device", "auto", env=NO_DEVICE)
        self.assertIn("forces by the processor (no GPU can be used: ", out)
        out, _ = self.carom("run", GOLDEN / "dcr_plane.yaml", "--no-output", "--device", "auto", env=DEVICE)
        self.assertIn("forces by the processor (body 'disc': tri3 with plane: stress of neo-hookean is not on the device yet)", out)
        out, _ = self.carom("run", scene, "--no-output", "--device", "auto", env=DEVICE)
        self.assertRegex(out, r"threads?, forces by (?!the processor)")

    def test_profile_reports_of_the_device(self):
        scene = self.write("tet4", "neo-hookean", solids("tet4"), end=0.05)
        out, _ = self.carom("run", scene, "--no-output", "--device", "gpu", "--profile", env=DEVICE)
        self.assertRegex(out, r": \S+ s waited for, \S+ s for what the processor did of its forces, \S+ GB copied there, \S+ GB back")


if __name__ == "__main__":
    if "CAROM_TEST_GPU" in os.environ:
        done = subprocess.run([cli.CAROM, "run", GOLDEN / "dcr_bricks.yaml", "--no-output", "--quiet", "--device", "gpu"],
                              capture_output=True, text=True)
        if done.returncode:
            print(done.stderr)
            sys.exit(cli.SKIPPED)
    cli.main()
