# SPDX-License-Identifier: MIT
"""A copy of the tree in which a test plants a violation, and the check that must find it."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("CAROM_BUILD", ROOT / "build"))


class Planted(unittest.TestCase):
    tool = None  # the script in tools/

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name in ("include", "src", "app"):
            shutil.copytree(ROOT / name, self.root / name)
        shutil.copy(ROOT / ".clang-format", self.root)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def append(self, path, text):
        with open(self.root / path, "a", encoding="utf-8") as file:
            file.write(text)

    def replace(self, path, old, new):
        file = self.root / path
        text = file.read_text(encoding="utf-8")
        self.assertIn(old, text)
        file.write_text(text.replace(old, new, 1))

    def check(self, *arguments):
        return subprocess.run([ROOT / "tools" / self.tool, *arguments, self.root], capture_output=True, text=True)

    def assert_clean(self, *arguments):
        result = self.check(*arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def assert_found(self, words, *arguments):
        result = self.check(*arguments)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn(words, result.stderr)
