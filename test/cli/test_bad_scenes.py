#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every bad scene gives exactly the messages that stand beside it, and exit code 2; good scenes give none."""
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

CAROM = Path(os.environ.get("CAROM", "build/carom")).resolve()
ROOT = Path(__file__).resolve().parents[2]
BAD = ROOT / "test" / "scenes_bad"
AT_LEAST = 60

# Faults that the YAML library finds: the place must be right, the wording may change with its version.
BY_LIBRARY = {"tab_indentation", "missing_comma", "bad_indentation", "unclosed_quote", "bracket_and_indentation",
              "json_trailing_comma"}


def check(*files, folder=BAD):
    return subprocess.run([CAROM, "check", *map(str, files)], cwd=folder, capture_output=True, timeout=600)


def by_scene(text, scenes):
    """What was said of each scene: the lines from the first that begins with its name to the next scene."""
    found, scene = dict.fromkeys(scenes, ""), None
    for line in text.splitlines(keepends=True):
        name = line.split(":", 1)[0]
        scene = name if name in found else scene
        found[scene] += line
    return found


class BadScenes(unittest.TestCase):
    def test_messages(self):
        scenes = sorted(p for p in BAD.iterdir() if p.suffix in (".yaml", ".json"))
        self.assertGreaterEqual(len(scenes), AT_LEAST)
        done = check(*(scene.name for scene in scenes))
        found = by_scene(done.stderr.decode(), [scene.name for scene in scenes])
        for scene in scenes:
            with self.subTest(scene=scene.name):
                expected, told = scene.with_suffix(".expected").read_text(), found[scene.name]
                if scene.stem in BY_LIBRARY:
                    expected, told = (re.sub(r": error: .+\n$", ": error", text) for text in (expected, told))
                self.assertEqual(told, expected)
        # none is good
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
            self.assertEqual(done.stdout.decode().count(f"{good}: ok\n"), 2)
            self.assertEqual(len(done.stderr.splitlines()), 2)
            self.assertEqual(done.returncode, 2)

    def test_example_of_the_manual(self):
        example = re.search(r"```yaml\n(.*?)```", (ROOT / "docs/manual/scene.md").read_text(), re.DOTALL).group(1)
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "example.yaml").write_text(example)
            done = check("example.yaml", folder=folder)
            self.assertTrue(done.stdout.startswith(b"example.yaml: ok\n"))
            self.assertEqual((done.stderr, done.returncode), (b"", 0))

    def test_good_scenes(self):
        scenes = sorted(map(str, (ROOT / "scenes").rglob("*.yaml")))
        done = check(*scenes)
        found = by_scene(done.stdout.decode(), scenes)
        for scene in scenes:
            with self.subTest(scene=scene):
                self.assertRegex(found[scene], f"^{re.escape(scene)}: ok"
                                 "( \\((\\d+ (faces|segments) can touch)?(, )?(steps may be divided)?\\))?\n(tied: .*\n)?(  .*\n)+$")
        self.assertEqual(done.stderr.decode(), "")
        self.assertEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
