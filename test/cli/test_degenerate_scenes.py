# SPDX-License-Identifier: MIT
"""Degenerate contact geometry: what bodies share, measured from outside, and the same scenes by the explicit method."""
import csv
import os
import re
import subprocess
import sys
from pathlib import Path
import cli

ROOT = Path(os.environ.get("CAROM_SOURCE", Path(__file__).parents[2]))
PLACE = ROOT / "scenes/papers/nonsmooth"
SCENES = sorted((PLACE / "degenerate").glob("*.yaml"))


class DegenerateScenes(cli.CommandTest):
    def overlap(self, out):
        """The largest overlap of two elements at any frame, as a part of the smaller."""
        told = subprocess.run([sys.executable, ROOT / "tools/measure_overlap", out], capture_output=True, text=True, check=True).stdout
        return float(re.search(r"largest overlap (\S+) of an element", told)[1])

    def largest_gift(self, out):
        """The most energy that contact gave in one step, as a part of all energy."""
        with open(out / "history.csv", newline="") as file:
            taken = [float(row["projection"]) for row in csv.DictReader(file)]
        return max(a - b for a, b in zip(taken, taken[1:])) / cli.result(out)["scales"]["energy"]

    def run_scene(self, scene, *settings):
        """Runs a scene to its gates."""
        out = self.folder / scene.stem
        words = [word for setting in settings for word in ("--set", setting)]
        self.carom("run", scene, "-q", "-o", out, "--threads", "1", *words)
        return out

    def test_there_are_scenes(self):
        self.assertGreater(len(SCENES), 20)

    def test_no_element_lies_in_another(self):
        for scene in SCENES:
            with self.subTest(scene=scene.stem):
                # in space the gates have the exact audit, too
                every = 20 if scene.stem.endswith("_2d") else 100
                self.assertLess(self.overlap(self.run_scene(scene, f"output.fields.every={every}")), 1e-10)

    def test_contact_gives_no_energy(self):
        # areas are quadratic, so that the work of each pair has a sign
        for name in ("half_over_cliff_2d", "point_on_corner_2d", "spike_on_spike_2d", "wedge_in_hole_2d"):
            with self.subTest(scene=name):
                self.assertLess(self.largest_gift(self.run_scene(PLACE / f"degenerate/{name}.yaml", "output.history.every=1")), 1e-12)

    def test_explicit_impacts_neither_touch_nor_hold(self):
        for scene in SCENES:
            with self.subTest(scene=scene.stem):
                summary = cli.result(self.run_scene(scene, "integrator=newmark-dcr", "expect={energy_change: '< 0'}"))
                self.assertEqual(summary["intersections"], 0)
                self.assertGreater(summary["minimum_distance"], 0)
                self.assertEqual(summary["events"]["contact_held"], 0)

    def test_fragments_begin_to_collide(self):
        out = self.run_scene(PLACE / "fragments.yaml", "time.end=0.004", "output.fields.every=16", "expect.contact_events='> 500'")
        self.assertLess(self.overlap(out), 1e-10)

    def test_the_measure_sees_an_overlap(self):
        # squares that pass through each other
        out = self.run_scene(PLACE / "degenerate/aligned_squares_2d.yaml", "contact=false", "expect={}")
        self.assertGreater(self.overlap(out), 0.5)


if __name__ == "__main__":
    cli.main()
