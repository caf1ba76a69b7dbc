# SPDX-License-Identifier: MIT
"""Nodes are dealt to processes anew in the midst of a run: by chance every few steps, where no file may change, and by measured
times, where work that was badly shared must become well shared."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import same_files

CAROM = Path(os.environ.get("CAROM", "build/carom")).resolve()
FAILING_MALLOC = Path(os.environ.get("CAROM_BUILD", CAROM.parent)) / "test/mpi/libfailing_malloc.so"
BALL = Path("scenes/verify/soft/rubber_ball.yaml").resolve()
BLOCKS = Path("scenes/verify/block_on_block.yaml").resolve()
TUBE = Path("scenes/gallery/crushed_tube.yaml").resolve()
CHECKPOINTS = "output.checkpoint.every=40"

# Elements and nothing else.
BOX = """
title: a box that spins
integrator: newmark-dcr
time: {end: %d, step: 0.05}
bodies:
  - name: box
    mesh: {box: {from: [0, 0, 0], to: [12, 12, 12], elements: [12, 12, 12], cells: tet4}}
    element: tet4
    material: {neo-hookean: {young: 1, poisson: 0.3, density: 1}}
    spin: [0, 0, 1.0e-3]
contact: false
output: {history: {every: 100}, fields: {every: 0}}
"""

# All that acts on nodes of a process, and a ball that bounces on them.
DRIVEN = """
title: a block that is held, driven, pressed and damped
integrator: newmark-dcr
time: {end: 2, step: 0.01}
bodies:
  - name: block
    mesh: {box: {from: [0, 0, 0], to: [2, 1, 1], elements: [6, 3, 3]}}
    element: hex8
    material: {st-venant-kirchhoff: {young: 100, poisson: 0.3, density: 1}}
    damping: {mass: 0.3, stiffness: 1.0e-3}
  - name: ball
    mesh: {ball: {center: [1, 0.5, 1.6], radius: 0.5, divisions: 2, layers: 2, cells: tet4}}
    element: nodal
    material: {neo-hookean: {young: 100, poisson: 0.3, density: 1}}
    velocity: [0, 0, -1]
restraints:
  - {body: block, set: xmin, fix: xyz}
  - {body: block, set: xmax, fix: x, velocity: [0.05, 0, 0]}
loads:
  - {body: block, set: zmin, pressure: 0.5, ramp: 0.5}
contact: {friction: 0.2, restitution: 0.3}
output: {history: {every: 5}, fields: {every: 50}, checkpoint: {every: 60}}
"""


class Rebalance(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="carom-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def scene(self, text):
        path = self.folder / "scene.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    def run_scene(self, scene, sets, name, ranks=0, every=None, owners="", more=(), variables=()):
        """A run into a folder of that name; returns exit code, what it printed, and the folder."""
        os.environ.pop("CAROM_REBALANCE", None)
        if every is not None:
            os.environ["CAROM_REBALANCE"] = str(every)
        os.environ.update(variables)
        try:
            directory = self.folder / name
            code, out, err = same_files.run(CAROM, scene, sets, directory, ranks, owners=owners, more=more)
        finally:
            for key in ("CAROM_REBALANCE", *dict(variables)):
                os.environ.pop(key, None)
        return code, same_files.printed(out, directory), err, directory

    def summary(self, directory):
        return json.loads((directory / "summary.json").read_text(encoding="utf-8"))

    def check_same(self, scene, sets, ways, expected=0):
        """Serially, and on so many ranks with nodes dealt anew every so many steps."""
        code, out, err, serial = self.run_scene(scene, sets, "serial")
        self.assertEqual(code, expected, err)
        for ranks, every in ways:
            with self.subTest(scene=scene.stem, ranks=ranks, every=every):
                found, text, err, directory = self.run_scene(scene, sets, f"r{ranks}_{every}", ranks, every)
                self.assertEqual(found, code, err)
                self.assertEqual(text, out)
                self.assertEqual(same_files.differences(serial, directory), [])
                # a run that fails has gone farther than it tells; nothing is dealt after the last step
                summary = self.summary(directory)
                self.assertGreaterEqual(summary["rebalances"], max(1, (summary["steps"] - 1) // every))

    def test_blocks(self):
        """Contact of solids with friction, at rest; all numbers of processes."""
        sets = [CHECKPOINTS, "output.fields.every=100"]
        self.check_same(BLOCKS, sets, [(2, 7), (3, 7), (4, 7), (2, 50), (3, 50), (4, 50)])

    def test_shell(self):
        """A shell with damping that is crushed."""
        self.check_same(TUBE, ["time.end=0.004"], [(2, 7), (3, 50)])

    def test_driven(self):
        """Restraints, prescribed motion, pressure, both kinds of damping, bounces, patches of `nodal`."""
        self.check_same(self.scene(DRIVEN), [], [(2, 50), (3, 7), (4, 7)])

    def test_soft(self):
        """Steps that follow a soft body: what is remembered of its elements moves too."""
        self.check_same(BALL, ["time.end=5e-4", "output.checkpoint.every=30"], [(2, 7), (3, 50), (4, 7)])

    def test_failure(self):
        """A run that fails returns to a state that was kept before, which has moved since: step 30, of 53."""
        sets = ["time.follow=false", "output.history.every=30", "output.fields.every=1000"]
        self.check_same(BALL, sets, [(2, 7), (3, 50)], expected=3)
        self.assertEqual(self.summary(self.folder / "serial")["steps"], 30)

    def test_instability(self):
        """The same with one whose books had balanced: step 128, of 597."""
        sets = ["time.step=0.582", "time.end=400", "time.follow=false", "time.on_event=warn"]
        self.check_same(self.scene(BOX % 1), sets, [(2, 50), (3, 50)], expected=3)
        self.assertEqual(self.summary(self.folder / "serial")["steps"], 128)

    def test_resume(self):
        """From a checkpoint between two dealings, on other numbers of processes."""
        sets = ["time.step=2.5e-6", "time.follow=true", "output.checkpoint.every=30"]
        ways = {"serial": [(0, None)] * 3, "dealt": [(3, 7), (2, 50), (4, 7)]}
        for name, stages in ways.items():
            for (ranks, every), end in zip(stages, (1e-4, 2e-4, 3e-4)):
                more = ["--resume"] if end > 1e-4 else []
                code, _, err, _ = self.run_scene(BALL, [*sets, f"time.end={end}"], name, ranks, every, more=more)
                self.assertEqual(code, 0, err)
        self.assertEqual(same_files.differences(self.folder / "serial", self.folder / "dealt"), [])

    def test_planted_imbalance(self):
        """All nodes on the first process, by their numbers: found, mended once, and not again."""
        scene = self.scene(BOX % 75)
        code, out, err, serial = self.run_scene(scene, [], "serial")
        self.assertEqual(code, 0, err)
        for ranks in (2, 3):
            code, text, err, directory = self.run_scene(scene, [], f"r{ranks}", ranks, "count", owners="first")
            self.assertEqual((code, text), (0, out), err)
            self.assertEqual(same_files.differences(serial, directory), [])
            summary = self.summary(directory)
            self.assertEqual(summary["rebalances"], 1)
            self.assertLess(summary["imbalance"], 1.1)
        # nothing to mend, or forbidden
        self.assertEqual(self.summary(self.run_scene(scene, [], "good", 2, "count")[3])["rebalances"], 0)
        summary = self.summary(self.run_scene(scene, [], "forbidden", 2, every=0, owners="first")[3])
        self.assertEqual(summary["rebalances"], 0)
        self.assertIsNone(summary["imbalance"])

    def test_times(self):
        """The same found by times. A process without nodes has no work on any machine, and the run is so long that a distribution
        that takes ten times as long as on an idle machine pays. What is measured later, when all processes have nodes, depends
        on the load of the machine, and is not checked."""
        code, _, err, directory = self.run_scene(self.scene(BOX % 400), [], "out", 2, owners="first")
        self.assertEqual(code, 0, err)
        self.assertGreaterEqual(self.summary(directory)["rebalances"], 1)

    def test_profile(self):
        """The table tells of it."""
        code, _, err, directory = self.run_scene(self.scene(BOX % 10), [], "out", 2, every=50, more=["--profile"])
        self.assertEqual(code, 0, err)
        summary = self.summary(directory)
        self.assertEqual(summary["rebalances"], 3)
        self.assertGreater(summary["profile"]["balancing"]["seconds"], 0)

    def test_bad_number(self):
        for text in ("-1", "often", "7x"):
            code, _, err, _ = self.run_scene(self.scene(BOX % 1), [], "out", 2, every=text)
            self.assertEqual((code, len(err.splitlines())), (2, 1), err)
            self.assertIn(f"CAROM_REBALANCE={text}: expected a whole number of steps, or count", err)

    @unittest.skipUnless(FAILING_MALLOC.exists(), "failing_malloc was not built")
    def test_memory(self):
        """Memory that runs out on one process while the model is dealt anew: all go on with what they have."""
        sets = ["time.end=1e-4"]
        code, _, err, serial = self.run_scene(BALL, sets, "serial")
        self.assertEqual(code, 0, err)
        requests = self.folder / "requests"
        for rank in (0, 1):
            counts = []
            for every in (0, 15):
                variables = {"LD_PRELOAD": str(FAILING_MALLOC), "CAROM_TEST_FAIL_RANK": str(rank),
                             "CAROM_TEST_FAIL_NOTE": str(requests)}
                code, _, err, _ = self.run_scene(BALL, sets, "counted", 2, every, variables=variables)
                self.assertEqual(code, 0, err)
                counts.append(int(requests.read_text()))
            # the requests of the one dealing lie somewhere before those of the end
            for part in (0.3, 0.5, 0.7):
                at = int(counts[0] + part * (counts[1] - counts[0]))
                variables.update(CAROM_TEST_FAIL_AT=str(at), CAROM_TEST_FAIL_COUNT="1")
                with self.subTest(rank=rank, request=at):
                    code, _, err, directory = self.run_scene(BALL, sets, f"failing{at}", 2, 15, variables=variables)
                    self.assertEqual(code, 0, err)
                    self.assertEqual(same_files.differences(serial, directory), [])
                    self.assertEqual(self.summary(directory)["rebalances"], 0)


if __name__ == "__main__":
    unittest.main(module=sys.modules["__main__"], verbosity=2)
