# SPDX-License-Identifier: MIT
"""A copy of the tree in which a test plants a violation, and the check that must find it."""
import contextlib
import functools
import importlib.machinery
import importlib.util
import io
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("CAROM_BUILD", ROOT / "build"))


@functools.lru_cache(maxsize=None)
def load(tool):
    """A script of tools/ as a module."""
    loader = importlib.machinery.SourceFileLoader(tool, str(ROOT / "tools" / tool))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(tool, loader))
    loader.exec_module(module)
    return module


class Planted(unittest.TestCase):
    tool = None  # the script in tools/

    @classmethod
    def setUpClass(cls):
        """One copy for all tests, each of which leaves it as it was."""
        cls.root = cls.folder()
        for name in ("include", "src", "app"):
            shutil.copytree(ROOT / name, cls.root / name)
        shutil.copy(ROOT / ".clang-format", cls.root)

    @classmethod
    def folder(cls):
        """A temporary folder for as long as the tests run."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        return Path(folder.name)

    def setUp(self):
        self.before = {}
        self.addCleanup(self.restore)

    def keep(self, path):
        """Remembers a file that a test is about to change; None if there is none yet."""
        file = self.root / path
        self.before.setdefault(file, file.read_bytes() if file.is_file() else None)

    def restore(self):
        for file, content in self.before.items():
            if content is not None:
                file.write_bytes(content)
            elif file.is_file():
                file.unlink()

    def write(self, path, text):
        self.keep(path)
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def append(self, path, text):
        self.keep(path)
        with open(self.root / path, "a", encoding="utf-8") as file:
            file.write(text)

    def replace(self, path, old, new):
        self.keep(path)
        file = self.root / path
        text = file.read_text(encoding="utf-8")
        self.assertIn(old, text)
        file.write_text(text.replace(old, new, 1))

    def remove(self, path):
        self.keep(path)
        (self.root / path).unlink()

    def check(self, *arguments):
        """In this process, in which the check remembers what it has found in texts."""
        out, err, code = io.StringIO(), io.StringIO(), 0
        with (contextlib.redirect_stdout(out), contextlib.redirect_stderr(err),
              mock.patch.object(sys, "argv", [self.tool, *map(str, arguments), str(self.root)])):
            try:
                load(self.tool).main()
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else 1
                print(end.code, file=err)
        return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())

    def command(self, *arguments):
        """As a program of its own."""
        return subprocess.run([ROOT / "tools" / self.tool, *arguments, self.root], capture_output=True, text=True)

    def assert_clean(self, *arguments):
        result = self.check(*arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def assert_found(self, words, *arguments):
        result = self.check(*arguments)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn(words, result.stderr)
