# SPDX-License-Identifier: MIT
"""Every public header stands alone, in C17 and in C++."""
import os
import shutil
import subprocess
import unittest
from pathlib import Path

INCLUDE = Path(__file__).resolve().parents[2] / "include"
HEADERS = sorted(path.relative_to(INCLUDE).as_posix() for path in INCLUDE.rglob("*.h"))


class Headers(unittest.TestCase):
    def compile_all(self, compiler, *flags):
        for header in HEADERS:
            with self.subTest(header):
                result = subprocess.run(
                    [compiler, *flags, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", f"-I{INCLUDE}", "-"],
                    input=f'#include "{header}"\n#include "{header}"\n', capture_output=True, text=True)
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_c(self):
        self.assertTrue(HEADERS)
        self.compile_all(os.environ.get("CC", "cc"), "-std=c17", "-x", "c")

    def test_cxx(self):
        compiler = shutil.which("c++") or shutil.which("clang++")
        if not compiler:
            self.skipTest("there is no C++ compiler")
        self.compile_all(compiler, "-std=c++17", "-x", "c++")


if __name__ == "__main__":
    unittest.main()
