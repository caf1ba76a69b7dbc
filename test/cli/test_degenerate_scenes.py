# SPDX-License-Identifier: MIT
"""Degenerate contact geometry: what bodies share, measured from outside, and the same scenes by the explicit method."""
import os
import re
import subprocess
import sys
from pathlib import Path
import cli

ROOT = Path(os.environ.get("CAROM_SOURCE", Path(__file__).parents[2]))
SCENES = sorted((ROOT / "scenes/papers/nonsmooth/degenerate").glob("*.yaml"))


class DegenerateScenes(cli.CommandTest):
    def overlap(self, out):
        """The largest overlap of two elements at any frame, as a part of the smaller."""
        told = subprocess.run([sys.executable, ROOT / "tools/measure_overlap", out], capture_output=True, text=True, check=True).stdout
        return float(re.search(r"largest overlap (\S+) of an element", told)[1])

    def each(self, *settings):
        """Runs each scene to its gates."""
        self.assertGreater(len(SCENES), 20)
        for scene in SCENES:
            with self.subTest(scene=scene.stem):
                out = self.folder / scene.stem
                self.carom("run", scene, "-q", "-o", out, *settings)
                yield scene.stem, out

    def test_no_element_lies_in_another(self):
        for _, out in self.each("--set", "output.fields.every=20"):
            self.assertLess(self.overlap(out), 1e-10)

    def test_explicit_impacts_neither_touch_nor_hold(self):
        for _, out in self.each("--set", "integrator=newmark-dcr"):
            summary = cli.result(out)
            self.assertEqual(summary["intersections"], 0)
            self.assertEqual(summary["events"]["contact_held"], 0)
            self.assertGreater(summary["minimum_distance"], 0)

    def test_the_measure_sees_an_overlap(self):
        # bodies that pass through each other
        scene = ROOT / "scenes/papers/nonsmooth/degenerate/aligned_squares_2d.yaml"
        out = self.folder / "through"
        self.carom("run", scene, "-q", "-o", out, "--set", "contact=false", code=1)
        self.assertGreater(self.overlap(out), 0.5)


if __name__ == "__main__":
    cli.main()
