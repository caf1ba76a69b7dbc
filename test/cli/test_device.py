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
OF_THE_RUN = re.compile(r'^\s*"(wall_seconds|threads|threads_used)":')

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
        return cli.result(self.folder / "gpu")

    def test_golden_scenes(self):
        for name in ("dcr_balls", "dcr_bricks", "dcr_crush", "dcr_nodal", "dcr_shells", "dcr_projection"):
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

    def test_device_looks_and_keeps(self):
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
        self.refused(GOLDEN / "dcr_plane.yaml", message="body 'disc': tri3 in plane stress of neo-hookean is not on the device yet")
        self.refused(GOLDEN / "dcr_bars.yaml", message="body 'left': stiffness damping is not on the device yet")
        self.refused(GOLDEN / "asynchronous_solids.yaml", message="integrator asynchronous is not on the device yet")
        self.refused(GOLDEN / "metals.yaml", message="of j2 is not on the device yet")
        self.refused(self.write("tet4", "neo-hookean", solids("tet4")), env=NO_DEVICE, message="no GPU can be used: ")
        self.refused(GOLDEN / "rubbers.yaml", message=" is not on the device yet")

    def test_auto_falls_back_and_says_so(self):
        scene = self.write("tet4", "neo-hookean", solids("tet4"), end=0.05)
        out, _ = self.carom("run", scene, "--no-output", "--device", "auto", env=NO_DEVICE)
        self.assertIn("forces by the processor (no GPU can be used: ", out)
        out, _ = self.carom("run", GOLDEN / "dcr_plane.yaml", "--no-output", "--device", "auto", env=DEVICE)
        self.assertIn("forces by the processor (body 'disc': tri3 in plane stress of neo-hookean is not on the device yet)", out)
        out, _ = self.carom("run", scene, "--no-output", "--device", "auto", env=DEVICE)
        self.assertRegex(out, r"threads?, forces by (?!the processor)")

    def test_profile_tells_of_the_device(self):
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
