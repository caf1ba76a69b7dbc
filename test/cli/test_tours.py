# SPDX-License-Identifier: MIT
"""Every command of the tours docs/tour_drop_test.md and docs/tour_deck.md is run, and the tables that they show are compared."""
import csv
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import cli

ROOT = Path(__file__).resolve().parents[2]


def commands(page):
    """The lines that begin with build/carom, as words without it."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return [shlex.split(line)[1:] for line in re.findall(r"^    (build/carom .*)$", text, re.MULTILINE)]


def shown(page, pattern):
    """Lines of a page's code blocks that match."""
    blocks = (ROOT / "docs" / page).read_text(encoding="utf-8").split("```")[1::2]
    return [line for block in blocks for line in block.splitlines() if re.match(pattern, line)]


class Tours(cli.CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "scenes").symlink_to(ROOT / "scenes")
        (self.folder / "out").mkdir()

    def test_drop_test(self):
        told = ""
        done = []
        for words in commands("tour_drop_test.md"):
            words = [word.replace("$PWD", str(self.folder)) for word in words]
            # the mesh of another gmsh is another one; the scene has the one that is stored
            if "out/bracket.msh" in " ".join(words) and not shutil.which("gmsh"):
                continue
            # a page needs node
            if words[0] == "view":
                continue
            # the study and the second drop are complete in a twentieth of the time, as far as the command goes
            more = ["--set", "time.end=5e-5"] if words[0] == "sweep" or "out/mine" in words else []
            more += ["-j", 2] if words[0] == "sweep" else []
            out, _ = self.carom(*words, *more)
            told += out
            done.append(words[0])
        self.assertEqual(sorted(set(done) - {"mesh"}), ["check", "picture", "plot", "run", "sweep"])
        lines = shown("tour_drop_test.md", r"  bracket")
        self.assertEqual(len(lines), 5)
        for line in lines:
            self.assertIn(line, told)
        with open(self.folder / "out/angles/sweep.csv", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        self.assertEqual([row["status"] for row in rows], ["done"] * 5)
        for key in ("max_von_mises", "max_principal", "peak_force"):
            self.assertGreater(float(rows[0][key]), 0)
        # the pictures
        for name in ("out/dropped_bracket/picture.png", "out/envelope.png"):
            self.assertTrue((self.folder / name).read_bytes().startswith(b"\x89PNG"))

    def test_the_mesh_is_that_of_the_step_file(self):
        """Not to the node, which is gmsh's business, but as a body."""
        if not shutil.which("gmsh"):
            self.skipTest("there is no gmsh")
        facts = []
        self.carom("mesh", "scenes/gallery/bracket.step", "--size", 3, "-o", "out/bracket.msh")
        for path in ("out/bracket.msh", "scenes/gallery/bracket.msh"):
            out, _ = self.carom("mesh", path)
            facts.append(float(re.search(r"volume +(\S+)", out)[1]))
        self.assertAlmostEqual(facts[0] / facts[1], 1, delta=0.01)

    def test_deck(self):
        told = ""
        for words in commands("tour_deck.md"):
            out, err = self.carom(*words)
            told += out + err
        for line in shown("tour_deck.md", r"carom: note|  CLIP"):
            self.assertIn(line, told)
        # the deck is what its script writes
        subprocess.run([sys.executable, ROOT / "scenes/gallery/clip_deck.py", self.folder / "clip.inp"], check=True)
        self.assertEqual((self.folder / "clip.inp").read_bytes(), (ROOT / "scenes/gallery/clip.inp").read_bytes())


if __name__ == "__main__":
    cli.main()
