# SPDX-License-Identifier: MIT
"""The format check accepts a tidy file, finds an untidy one and puts it in order."""
import shutil
import sys
import unittest

from planted import ROOT, Planted

SPDX = "// SPDX-License-Identifier: MIT\n"
TIDY = SPDX + "int carom_planted(int a) {\n    return a;\n}\n"
UNTIDY = SPDX + "int carom_planted( int a )\n{\n  return a;\n}\n"


class Format(Planted):
    tool = "check_format"
    check = Planted.command  # a script of the shell

    @classmethod
    def setUpClass(cls):
        """Other versions of the formatter may see the tree with other eyes; they agree on small files."""

    def setUp(self):
        super().setUp()
        self.root = self.folder()
        shutil.copy(ROOT / ".clang-format", self.root)
        self.write("src/base/planted.c", TIDY)

    def test_clean(self):
        self.assert_clean()

    def test_untidy(self):
        self.write("src/base/planted.c", UNTIDY)
        self.assert_found("src/base/planted.c")

    def test_tabs(self):
        self.write("app/planted.h", TIDY.replace("    ", "\t"))
        self.assert_found("app/planted.h")

    def test_long_line(self):
        self.write("src/base/planted.c", SPDX + "int carom_planted = 1" + " + 1" * 40 + ";\n")
        self.assert_found("src/base/planted.c")

    def test_long_comment(self):
        self.write("src/base/planted.c", TIDY + "// " + "long" * 32 + "\n")
        self.assert_found("src/base/planted.c:5: longer than 128 columns")

    def test_widest_comment(self):
        self.write("src/base/planted.c", TIDY + "// " + "\u00e9" * 125 + "\n")
        self.assert_clean()

    def test_ruler(self):
        self.write("src/base/planted.c", TIDY + "\n// ---- the second half ----\n")
        self.assert_found("src/base/planted.c:6: a section ruler")

    def test_licence(self):
        self.write("src/base/planted.c", TIDY.replace(SPDX, ""))
        self.assert_found("src/base/planted.c:1: the first line is not")

    def test_fix(self):
        self.write("src/base/planted.c", UNTIDY)
        self.assert_clean("--fix")
        self.assertEqual((self.root / "src/base/planted.c").read_text(), TIDY)
        self.assert_clean()

    def test_nothing_to_check(self):
        shutil.rmtree(self.root / "src")
        self.assert_found("no sources found")


if __name__ == "__main__":
    if not shutil.which("clang-format"):
        print("skipped: there is no clang-format")
        sys.exit(77)
    unittest.main()
