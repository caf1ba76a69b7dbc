#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/verification.md is current: its rows are the gates of the scenes, and fast scenes give its values. `make verify` runs all."""
import subprocess
import sys
from pathlib import Path

import cli

ROOT = Path(__file__).resolve().parents[2]
CHECK = ROOT / "tools/check_verification"
DOCUMENT = ROOT / "docs/verification.md"

# A second each at most, of every method.
FAST = ("papers/dcr/point_masses", "papers/dcr/two_bars", "papers/multisymplectic/bars_set1", "papers/multisymplectic/bars_set6",
        "papers/asynchronous/sliding_block", "papers/energy-momentum/friction_blocks", "papers/nonsmooth/particle_wall",
        "papers/nonsmooth/slider", "papers/nonsmooth/truesdell_wedge", "papers/nonsmooth/two_squares",
        "verify/sliding_block", "verify/static/cantilever", "verify/static/cook", "verify/static/stretched_block")


class Verification(cli.CommandTest):
    def check(self, text, *options, code=0, document=DOCUMENT):
        fresh = self.folder / "fresh.md"
        fresh.write_text(text)
        done = subprocess.run([sys.executable, CHECK, *options, fresh, document], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def verify(self, *arguments):
        out, table = self.carom("verify", "--markdown", "--scenes", ROOT / "scenes", *arguments)
        self.assertIn("error  pass", table)
        return out

    def test_rows_are_the_gates(self):
        self.check(self.verify("--plan"))

    def test_values_of_fast_scenes(self):
        text = self.verify(*FAST)
        self.assertEqual({line.split("`")[1] for line in text.splitlines() if line.startswith(("| `papers", "| `verify"))},
                         set(FAST))
        self.check(text, "--part")

    def test_faults_are_found(self):
        document = DOCUMENT.read_text()
        row = next(line for line in document.splitlines() if line.startswith("| `papers/dcr/two_bars` | `last_contact`"))
        for old, new, said in (("| 20.05 |", "| 20.15 |", "20.15"), ("19.7 .. 20.3", "19 .. 21", "the row is"),
                               ("| 20 |", "| 21 |", "the row is"), (row + "\n", "", "missing"),
                               ("### static: invariants", "### static: laws", "not current")):
            self.assertIn(old, row + "\n### static: invariants")
            stale = self.folder / "stale.md"
            stale.write_text(document.replace(row, row.replace(old, new)) if old in row else document.replace(old, new))
            self.assertIn(said, self.check(document, code=1, document=stale))

    def test_text_by_hand_is_kept(self):
        document = DOCUMENT.read_text()
        own = self.folder / "own.md"
        own.write_text(document.replace("## Convergence", "## Order").replace("### static: invariants", "### static: laws"))
        self.check(self.verify("--plan"), "--fill", document=own)
        self.assertEqual(own.read_text(), document.replace("## Convergence", "## Order"))

    def test_last_digits_may_differ(self):
        document = DOCUMENT.read_text()
        near = self.folder / "near.md"
        near.write_text(document.replace("| 20.05 |", "| 20.0501 |"))
        self.check(document, document=near)


if __name__ == "__main__":
    cli.main()
