# SPDX-License-Identifier: MIT
"""The list of words may only shrink: more uses of a word than it allows are found with their place, fewer must be noted."""
import unittest

from planted import ROOT, Planted

LIST = "tools/words.txt"
ROW = "gizmo -> part".ljust(60) + "     {}    {}    0\n"


class Words(Planted):
    tool = "check_words"

    @classmethod
    def setUpClass(cls):
        """A small tree with a list of one word."""

    def setUp(self):
        super().setUp()
        self.root = self.folder()
        for place in ("src", "docs", "scenes"):
            (self.root / place).mkdir()
        self.write("src/a.c", "// One gizmo, and a second: make_gizmo(). Not gizmos.\n")
        self.write(LIST, ROW.format(2, 0))

    def test_clean(self):
        self.assert_clean()

    def test_more(self):
        self.write("src/b.h", "\n// A Gizmo\n")
        self.assert_found("gizmo: 3 times in sources, 2 allowed; use: part (src/a.c:1, src/a.c:1, src/b.h:2)")

    def test_more_in_documents(self):
        self.write("docs/page.md", "The gizmo.\n")
        self.assert_found("gizmo: 1 times in documents, 0 allowed")

    def test_update_never_raises(self):
        self.write("docs/page.md", "The gizmo.\n")
        self.assert_found("gizmo: 1 times in documents", "--update")

    def test_fewer(self):
        self.write("src/a.c", "// One gizmo.\n")
        self.assert_found("gizmo: 1 times in sources, the list says 2")
        self.assert_clean("--update")
        self.assertEqual((self.root / LIST).read_text(), ROW.format(1, 0))
        self.assert_clean()

    def test_what_is_not_read(self):
        self.write("test/test_a.c", "// gizmo\n")
        self.write("docs/manual/scene.md", "gizmo\n")
        self.assert_clean()

    def test_row_without_counts(self):
        self.write(LIST, "gizmo\n")
        self.assert_found("tools/words.txt:1: expected: word -> standard word")

    def test_tree(self):
        self.root = ROOT
        self.assert_clean()


if __name__ == "__main__":
    unittest.main()
