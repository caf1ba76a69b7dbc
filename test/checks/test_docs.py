# SPDX-License-Identifier: MIT
"""The document check accepts the tree and finds every kind of planted violation."""
import re
import shutil
import unittest
from pathlib import Path

from planted import ROOT, Planted

PAGE = "docs/manual/concepts.md"
ROOMS = "docs/developer/architecture.md"


def copy_name(_, target):
    """An empty file of that name."""
    Path(target).touch()


class Docs(Planted):
    tool = "check_docs"

    @classmethod
    def setUpClass(cls):
        """One copy for all tests: documents and sources as they are; of the rest the names are enough."""
        cls.root = cls.folder()
        left_out = shutil.ignore_patterns("node_modules", "__pycache__", "dist", "corpus")
        for top in ("include", "src", "app", "docs", "examples", "python", "packaging", "bench", "cmake"):
            if (ROOT / top).is_dir():
                shutil.copytree(ROOT / top, cls.root / top, ignore=left_out)
        for top in ("scenes", "test", "tools", "viewer", "completions", ".ci"):
            shutil.copytree(ROOT / top, cls.root / top, copy_function=copy_name, ignore=left_out)
        for path in [*ROOT.glob("*.md"), ROOT / "CMakeLists.txt", ROOT / "CMakePresets.json"]:
            shutil.copy(path, cls.root)
        shutil.copy(ROOT / "test/CMakeLists.txt", cls.root / "test")
        for name in ("Makefile", "LICENSE", "CITATION.cff", ".gitignore"):
            (cls.root / name).touch()

    def test_clean(self):
        self.assert_clean()

    def test_as_a_command(self):
        self.assertEqual(self.command().returncode, 0)
        self.append(PAGE, "\nSee `src/contact/drift.c`.\n")
        self.assertEqual(self.command().returncode, 1)

    def test_stale_path_in_a_document(self):
        self.append(PAGE, "\nSee `src/contact/drift.c`.\n")
        self.assert_found("there is no src/contact/drift.c")

    def test_stale_end_of_a_path(self):
        self.append(PAGE, "\nSee `contact/joint.c`.\n")
        self.assert_found("there is no contact/joint.c")

    def test_stale_bare_name(self):
        self.append(PAGE, "\nThe solve of `balance_of_old.c` and `impact/drift.c`.\n")
        self.assert_found(f"{PAGE}:{self.last_line(PAGE)}: there is no balance_of_old.c")

    def test_stale_name_in_a_head(self):
        self.replace("src/contact/law.c", "// SPDX-License-Identifier: MIT\n", "// SPDX-License-Identifier: MIT\n// See joint.h.\n")
        self.assert_found("src/contact/law.c:2: there is no joint.h")

    def test_patterns(self):
        self.append(PAGE, "\nIn `law.{c,h}` and `narrow/*.c`.\n")
        self.assert_clean()
        self.append(PAGE, "\nIn `law.{c,h,cpp}`.\n")
        self.assert_found("there is no law.{c,h,cpp}")

    def test_moved_source(self):
        self.remove("src/contact/impact/rest.c")
        self.assert_found("there is no src/contact/impact/rest.c")

    def test_scene_that_is_gone(self):
        self.remove("scenes/papers/dcr/two_bars.yaml")
        self.assert_found("there is no scenes/papers/dcr/two_bars.yaml")

    def test_scene_in_a_block(self):
        self.append(PAGE, "\n    build/carom run scenes/gallery/gone.yaml\n")
        self.assert_found("there is no scenes/gallery/gone.yaml")

    def test_scene_of_the_reader(self):
        self.append(PAGE, "\n    build/carom run mine.yaml -o out/mine\n")
        self.assert_clean()

    def test_tool_that_is_gone(self):
        self.remove("tools/measure_overlap")
        self.assert_found("there is no tools/measure_overlap")

    def test_new_folder_without_a_row(self):
        self.write("src/contact/extra/planted.c", "")
        self.assert_found(f"{ROOMS}: no row for src/contact/extra")

    def test_lost_row(self):
        self.keep(ROOMS)
        path = self.root / ROOMS
        path.write_text(re.sub(r"^\| `src/solver`.*\n", "", path.read_text(), flags=re.M))
        self.assert_found(f"{ROOMS}: no row for src/solver")

    def test_broken_link(self):
        self.append(PAGE, "\nSee [there](nowhere.md).\n")
        self.assert_found("the link to nowhere.md leads nowhere")

    def test_broken_picture(self):
        self.append(PAGE, "\n![a\npicture](../pictures/gone.png)\n")
        self.assert_found("the link to ../pictures/gone.png leads nowhere")

    def test_broken_anchor(self):
        self.append(PAGE, "\n[Here](#units), [there](../theory/ledger.md#the-ledger) and [nowhere](../theory/ledger.md#nowhere).\n")
        self.assert_found("docs/theory/ledger.md has no heading for #nowhere")

    def test_broken_anchor_of_its_own(self):
        self.append(PAGE, "\n[Here](#no-such-heading).\n")
        self.assert_found(f"{PAGE} has no heading for #no-such-heading")

    def test_function_that_is_gone(self):
        self.append(PAGE, "\nCall `carom_sim_step` and `carom_sim_*`.\n")
        self.assert_clean()
        self.append(PAGE, "\nCall `carom_sim_leap(sim)`.\n")
        self.assert_found("there is no carom_sim_leap in the tree")

    def test_function_named_in_a_comment(self):
        self.append("src/contact/law.c", "// As carom_sim_leap does.\n")
        self.assert_found("there is no carom_sim_leap in the tree")

    def test_kind_that_is_gone(self):
        self.append(PAGE, "\n    carom info sphere\n")
        self.assert_clean()
        self.append(PAGE, "\nAsk `carom info newmark-2`.\n")
        self.assert_found("`carom info` knows no newmark-2")

    def test_long_prose(self):
        wide = "word " * 30
        self.append(PAGE, f"\n| {wide} |\n\n```\n{wide}\n```\n\n    {wide}\n")
        self.assert_clean()
        self.append(PAGE, f"\n{wide}\n")
        self.assert_found("columns of prose, more than 128")

    def test_page_without_a_link(self):
        self.write("docs/manual/lonely.md", "# Lonely\n")
        self.assert_found("docs/manual/lonely.md:1: no other document links here")

    def test_theory_page_without_a_source(self):
        self.write("docs/theory/lonely.md", "# Lonely\n")
        self.append(PAGE, "\n[Theory](../theory/lonely.md)\n")
        self.assert_found("docs/theory/lonely.md:1: no source names this page")

    def test_theory_page_that_names_no_source(self):
        self.replace("docs/theory/bar.md", "Source: `src/element/line/bar.c`", "See `src/element/line/bar.c`")
        self.assert_found("docs/theory/bar.md:1: the page does not begin with its sources")

    def last_line(self, name):
        return (self.root / name).read_text().count("\n")


if __name__ == "__main__":
    unittest.main()
