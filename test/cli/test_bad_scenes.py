#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every bad scene gives exactly the messages that stand beside it, and exit code 2; good scenes give none."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

CAROM = Path(os.environ.get("CAROM", "build/carom")).resolve()
ROOT = Path(__file__).resolve().parents[2]
BAD = ROOT / "test" / "scenes_bad"
AT_LEAST = 60


def check(*files, folder=BAD):
    return subprocess.run([CAROM, "check", *map(str, files)], cwd=folder, capture_output=True, timeout=60)


class BadScenes(unittest.TestCase):
    def test_messages(self):
        scenes = sorted(p for p in BAD.iterdir() if p.suffix in (".yaml", ".json"))
        self.assertGreaterEqual(len(scenes), AT_LEAST)
        for scene in scenes:
            with self.subTest(scene=scene.name):
                done = check(scene.name)
                self.assertEqual(done.stderr.decode(), scene.with_suffix(".expected").read_text())
                self.assertEqual(done.stdout, b"")
                self.assertEqual(done.returncode, 2)

    def test_no_message_without_scene(self):
        for expected in BAD.glob("*.expected"):
            self.assertTrue(any(expected.with_suffix(s).exists() for s in (".yaml", ".json")), expected.name)
            self.assertRegex(expected.read_text(), r"^[^:]+\.(yaml|json):\d+:\d+: error: ")

    def test_bad_among_good(self):
        with tempfile.TemporaryDirectory() as folder:
            good = Path(folder) / "good.json"
            good.write_text(
                '{"integrator": "newmark-dcr", "time": {"end": 1, "step": 0.1}, "bodies":'
                ' [{"name": "ball", "mesh": {"point": {"at": [0, 0, 0]}}, "element": {"point-mass": {"mass": 1}}}]}'
            )
            done = check(good, BAD / "empty.yaml", good, "no_such_file.yaml", folder=folder)
            self.assertEqual(done.stdout.decode(), f"{good}: ok\n" * 2)
            self.assertEqual(len(done.stderr.splitlines()), 2)
            self.assertEqual(done.returncode, 2)

    def test_good_scenes(self):
        scenes = sorted((ROOT / "scenes").rglob("*.yaml"))
        for scene in scenes:
            with self.subTest(scene=scene.name):
                done = check(scene)
                self.assertEqual(done.stderr.decode(), "")
                self.assertEqual(done.stdout.decode(), f"{scene}: ok\n")
                self.assertEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
