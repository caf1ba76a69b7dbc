# SPDX-License-Identifier: MIT
"""Runs of several processes write the same files as one process does, to the last byte, and print the same ledger.

Each row of the table is a scene, what is changed in it, and how it is run: processes x threads, and owners of nodes other than
the usual ones. Scenes are cut to their first steps; in all but those without contact these have impacts.

    scene                                   changed                           run by
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import same_files
import small_scenes

CAROM = Path(os.environ.get("CAROM", "build/carom")).resolve()
SCENES = Path("scenes").resolve()

CHOICE = """
    verify/bars_of_bricks                   time.end=1                        2x1                    3x1 random:7
    verify/bars_of_tetrahedra               time.end=1                        4x1                    3x2 stripes
    verify/block_on_block                   time.end=0.2                      8x1                    2x1 random:7
    verify/incline                          time.end=0.5                      2x2                    3x1 stripes
    verify/hertz                            time.end=1.2                      2x1                    4x1 random:7
    verify/spinning_solids                  time.end=2                        1x2                    4x1 stripes
    verify/sliding_on_plate                 time.end=0.1                      3x1                    2x2 first
    papers/dcr/two_bars                     contact.resolve=exact,time.end=3  1x1                    3x1 random:7
    papers/dcr/five_cubes_solid             time.end=0.004                    3x1                    2x1 random:7
    papers/dcr/seventysix_cubes_solid       time.end=0.003                    2x1                    4x1 random:7
    papers/dcr/sphere_plate                 time.end=1.2e-5                   2x1                    3x1 random:7
    gallery/pile                            time.end=0.02                     4x1                    2x1 random:7
    gallery/dominoes                        time.end=0.1                      3x1                    8x1 random:7
    gallery/bouncing_balls                  time.end=0.2                      4x1                    2x1 first
    gallery/crushed_tube                    time.end=0.001                    2x1                    3x1 stripes
    verify/tubes/crash_quarter              time.end=1e-4                     3x1                    2x1 random:7
    points                                  -                                 8x1                    3x1 first
    loads                                   -                                 2x1    8x1 random:7    3x2 first
    crowd                                   -                                 3x1    8x1 random:7    2x2 stripes    1x1
    plane                                   -                                 2x1                    3x1 random:7
    pulled                                  -                                 3x1                    2x1 random:7
    gates                                   -                                 3x1
    materials                               -                                 3x1                    2x2 random:7
    metal                                   -                                 3x1    2x1 random:7    3x2 stripes
"""

# The long list, with the option --all: every scene on all of these, for so long.
ALL_RANKS, ALL_OWNERS = (1, 2, 3, 4, 8), ("", "random:7", "stripes", "first")
LONGER = {
    "verify/bars_of_bricks": "4", "verify/bars_of_tetrahedra": "4", "verify/block_on_block": "2", "verify/incline": "2.4",
    "verify/hertz": "2", "verify/spinning_solids": "15", "verify/sliding_on_plate": "1", "papers/dcr/two_bars": "22",
    "papers/dcr/five_cubes_solid": "0.015", "papers/dcr/seventysix_cubes_solid": "0.006", "papers/dcr/sphere_plate": "5e-5",
    "gallery/pile": "0.18", "gallery/dominoes": "0.6", "gallery/bouncing_balls": "0.5", "gallery/crushed_tube": "0.006",
    "verify/tubes/crash_quarter": "5e-4",
}
ALL = "--all" in sys.argv

# Checkpoints, contacts and pairs are among the files of every scene.
OUTPUT = ["output.contacts={every: 3}", "output.checkpoint.every=50"]


def rows():
    """Of the table: scene, changes, runs."""
    for line in CHOICE.strip().splitlines():
        scene, changed, *words = line.split()
        runs = []
        for word in words:
            if "x" in word and word[0].isdigit():
                ranks, threads = word.split("x")
                runs.append((int(ranks), int(threads), ""))
            else:
                runs[-1] = (*runs[-1][:2], word)
        sets = [] if changed == "-" else changed.split(",")
        if ALL:
            sets = [f"time.end={LONGER[scene]}" if text.startswith("time.end") else text for text in sets]
            runs += [run for run in same_files.runs_of(ALL_RANKS, 1, ALL_OWNERS) if run not in runs]
        yield scene, sets, runs


class SameFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="carom-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def compare(self, scene, sets, runs):
        path = SCENES / f"{scene}.yaml"
        if scene in small_scenes.ALL:
            path = self.folder / f"{scene}.yaml"
            path.write_text(small_scenes.ALL[scene], encoding="utf-8")
        else:
            sets = sets + OUTPUT
        self.assertEqual(same_files.compare(CAROM, path, sets, self.folder / "runs", runs, scene), [])

    def test_the_choice_has_everything(self):
        """All numbers of processes and threads, and all owners, occur."""
        runs = [run for _, _, of_scene in rows() for run in of_scene]
        self.assertEqual({ranks for ranks, _, _ in runs}, set(ALL_RANKS))
        self.assertEqual({threads for _, threads, _ in runs}, {1, 2})
        self.assertEqual({owners for _, _, owners in runs}, set(ALL_OWNERS))

    def test_vtkhdf(self):
        sets = ["output.fields.format=vtkhdf"]
        path = self.folder / "plane.yaml"
        path.write_text(small_scenes.PLANE, encoding="utf-8")
        if subprocess.run([CAROM, "check", path, "--set", *sets], capture_output=True).returncode:
            self.skipTest("this build cannot write HDF5")
        self.assertEqual(same_files.compare(CAROM, path, sets, self.folder / "runs", [(3, 1, "random:7")]), [])

    def test_styles_of_frames(self):
        sets = ["output.fields.precision=single", "output.fields.compress=true", "output.fields.surface=true",
                "output.fields.names=[velocity, contact_force, von_mises]", "output.fields.at=[0.0111, 0.2]"]
        path = self.folder / "crowd.yaml"
        path.write_text(small_scenes.CROWD, encoding="utf-8")
        self.assertEqual(same_files.compare(CAROM, path, sets, self.folder / "runs", [(3, 1, "random:7")]), [])

    def test_tie(self):
        """Glued bodies that touch beside the seam: processes share the solver, and know the seam."""
        sets = ["integrator=energy-momentum", "contact.restitution=1", "time.step=0.01", "time.end=0.25", "expect={}"]
        scene, runs = SCENES / "verify/tied_hook.yaml", self.folder / "runs"
        self.assertEqual(same_files.compare(CAROM, scene, sets, runs, [(3, 1, "")]), [])
        pairs = json.loads((runs / "serial/summary.json").read_text(encoding="utf-8"))["pairs"]
        self.assertIn(["plate", "hook"], [pair["bodies"] for pair in pairs])

    def test_without_output(self):
        """Nothing is written, the ledger is the same."""
        path = self.folder / "crowd.yaml"
        path.write_text(small_scenes.CROWD, encoding="utf-8")
        here, there = (same_files.run(CAROM, path, ["time.end=0.1"], self.folder / "none", ranks, more=["--no-output"])
                       for ranks in (0, 3))
        self.assertEqual((here[0], there[0]), (0, 0))
        for one, other in zip(here[1:], there[1:]):
            self.assertEqual(same_files.printed(one, "nowhere"), same_files.printed(other, "nowhere"))
        self.assertFalse((self.folder / "none").exists())

    def test_a_difference_is_seen(self):
        """The comparison itself can fail: one byte, one file more, one number of the summary."""
        one, other = self.folder / "one", self.folder / "other"
        for directory in (one, other):
            (directory / "fields").mkdir(parents=True)
            (directory / "fields/frame_000000.vtu").write_bytes(b"\0\1\2")
            (directory / "summary.json").write_text('{\n  "wall_seconds": 1,\n  "steps": 3\n}\n')
        self.assertEqual(same_files.differences(one, other), [])
        (other / "summary.json").write_text('{\n  "wall_seconds": 2,\n  "steps": 3\n}\n')
        self.assertEqual(same_files.differences(one, other), [])
        (other / "summary.json").write_text('{\n  "wall_seconds": 1,\n  "steps": 4\n}\n')
        (other / "fields/frame_000000.vtu").write_bytes(b"\0\1\3")
        (other / "more").write_text("")
        self.assertEqual([text.split()[0:2] for text in same_files.differences(one, other)],
                         [["only", "one"], ["fields/frame_000000.vtu", "differs"], ["summary.json", "differs"]])


def add(scene, sets, runs):
    name = "test_" + scene.replace("/", "_")
    setattr(SameFiles, name, lambda self: self.compare(scene, sets, runs))


for row in rows():
    add(*row)

if __name__ == "__main__":
    words = [word for word in sys.argv if word != "--all"]
    unittest.main(module=sys.modules["__main__"], verbosity=2, argv=words)
