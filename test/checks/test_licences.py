#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that every file of the tree has a licence, by `reuse lint` where it is installed (the package reuse of Debian).

Tools before version 4, such as that of Debian 12, do not read REUSE.toml: they get its annotations as .reuse/dep5, in a copy."""
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def version(name):
    words = subprocess.run([name, "--version"], capture_output=True, text=True).stdout
    return int(re.search(r"(\d+)\.", words)[1])


def annotations(text):
    """Path, copyright and licence of each annotation of REUSE.toml."""
    return [{key: value for key, value in re.findall(r'^([\w-]+) = "(.*)"$', block, flags=re.M)}
            for block in text.split("[[annotations]]")[1:]]


def dep5(rows):
    text = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
    for row in rows:
        text += f"\nFiles: {row['path'].replace('**', '*')}\nCopyright: {row['SPDX-FileCopyrightText']}\nLicense: {row['SPDX-License-Identifier']}\n"
    return text


class Licences(unittest.TestCase):
    def test_texts(self):
        self.assertEqual((ROOT / "LICENSE").read_text(), (ROOT / "LICENSES/MIT.txt").read_text())

    def test_facts_of_the_project(self):
        """Version and licence stand in several files for several readers."""
        header = (ROOT / "include/carom/version.h").read_text()
        number = ".".join(re.search(rf"VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))
        facts = json.loads((ROOT / "codemeta.json").read_text())
        self.assertEqual(facts["version"], number)
        self.assertTrue(facts["license"].endswith("/MIT"))
        self.assertIn("license: MIT", (ROOT / "CITATION.cff").read_text())

    @unittest.skipUnless(shutil.which("reuse"), "reuse is not installed")
    def test_reuse(self):
        listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True)
        if listed.returncode:
            self.skipTest("no repository of git")
        with tempfile.TemporaryDirectory() as folder:
            for name in filter(None, listed.stdout.split("\0")):
                if (ROOT / name).is_file():
                    Path(folder, name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(ROOT / name, Path(folder, name))
            if version("reuse") < 4:
                Path(folder, ".reuse").mkdir()
                Path(folder, ".reuse/dep5").write_text(dep5(annotations(Path(folder, "REUSE.toml").read_text())))
                Path(folder, "REUSE.toml").unlink()
            result = subprocess.run(["reuse", "--root", folder, "lint"], capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
