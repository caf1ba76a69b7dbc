# SPDX-License-Identifier: MIT
"""The fingerprint that the tour prints is the one that its command gives."""
import re
import shlex
from pathlib import Path

import cli

ROOT = Path(__file__).resolve().parents[2]


class Tour(cli.CommandTest):
    def test_fingerprint(self):
        text = (ROOT / "docs/tour.md").read_text(encoding="utf-8")
        command = re.search(r"^    build/carom (run \S+ -o out/long .*)$", text, re.MULTILINE)
        told = re.search(r"^(\d+) steps in .* s after (\d+) before this resumption, (\d+) contact events, "
                         r"state (0x[0-9a-f]{16})$", text, re.MULTILINE)
        words = shlex.split(command[1])
        # without output the fingerprint is the same, as the tour says
        del words[words.index("-o"):words.index("-o") + 2]
        words[1] = str(ROOT / words[1])
        out, _ = self.carom(*words, "--no-output", "--threads", 1)
        found = re.search(r"^(\d+) steps in .* s, (\d+) contact events, state (0x[0-9a-f]{16})$", out, re.MULTILINE)
        self.assertEqual(int(found[1]), int(told[1]) + int(told[2]))
        self.assertEqual((found[2], found[3]), (told[3], told[4]))


if __name__ == "__main__":
    cli.main()
