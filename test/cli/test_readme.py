# SPDX-License-Identifier: MIT
"""The scene of the README is that of the gallery, and the ledger that it shows is printed by the run."""
import re
from pathlib import Path

import cli

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SCENE = ROOT / "scenes/gallery/ball_on_plate.yaml"


class Readme(cli.CommandTest):
    def test_length(self):
        self.assertLessEqual(len(README.splitlines()), 120)

    def test_scene(self):
        shown = re.search(r"```yaml\n(.*?)```", README, re.DOTALL)[1]
        rows = [row for row in SCENE.read_text(encoding="utf-8").splitlines() if not row.startswith("#")]
        self.assertEqual(shown.splitlines(), rows[: rows.index("expect:")])

    def test_ledger(self):
        shown = re.search(r"```\n(Energy .*?)```", README, re.DOTALL)[1].splitlines()
        self.assertGreater(len(shown), 5)
        # stresses, which are not shown, take half of the time
        out, _ = self.carom("run", SCENE, "--set", "output.history.peaks=false", "--set", "output.fields.every=0")
        told = out.splitlines()
        for line in shown:
            self.assertIn(line, told)
        force = re.search(r"^  ball - plate +([\d.]+) +\S+ +\S+ +\S+$", out[out.index("Contact forces"):], re.MULTILINE)[1]
        self.assertIn(f"peak force ({float(force):.0f} N)", README.replace("\n", " "))


if __name__ == "__main__":
    cli.main()
