# SPDX-License-Identifier: MIT
"""The sample outputs of the documents are what their commands print.

A sample is a block of code without a language. Each has a row here, with the commands that print it, or a test elsewhere."""
import os
import re
import subprocess
from pathlib import Path

import cli

ROOT = Path(__file__).resolve().parents[2]
BARS = "carom run scenes/papers/dcr/two_bars.yaml"

# A part of the first line of a sample of the page; the commands, which may fail (None: the one above the sample), with their
# errors in the output; and what differs from run to run. Each paragraph of a sample is a part of the output.
SAMPLES = {
    "manual/closing_table.md": [("Energy  ", "carom run scenes/verify/bounces/bar_long_step.yaml --no-output", None)],
    "manual/concepts.md": [("drop.yaml:9:63: note:", "carom check drop.yaml 2>&1 | fold -s -w 128", None)],
    "manual/looking.md": [
        ("scenes/gallery/dropped_bracket.yaml: ok", "carom check scenes/gallery/dropped_bracket.yaml",
         r"time: .*|  memory: about \S+ MB"),
        ("  newmark-dcr  newmark-dcr:step=0.01", "carom compare scenes/papers/dcr/two_bars.yaml --integrators "
         "newmark-dcr,newmark-dcr:step=0.01,multisymplectic -o out/bars", r"^wall seconds .*"),
    ],
    "manual/resume.md": [
        ("carom: error: out is in use", f"{BARS} -o out --set time.step=0.0001 -q & while ! [ -s out/lock.carom ]; do sleep 0.01; "
         f"done; {BARS} -o out; kill $!; wait $!", r"process \d+ on \S+|since \S+"),
    ],
    "manual/sweep.md": [("21 runs: 21 done", None, None)],
    "tour.md": [
        ("Impact of two bars", f"{BARS} -o out/two_bars", r"\d+ threads?$"),
        ("Energy  ", f"{BARS} --no-output", None),
        ("Contacts  ", f"{BARS} --no-output", None),
        ("time,kinetic,internal", f"{BARS} -o out/two_bars -q; cut -d, -f1,2,3,7,8,9,18 out/two_bars/history.csv", None),
        ("0.09953391", f"{BARS} --no-output --set contact.resolve=exact --set contact.restitution=0", None),
        ("0.1000852", f"{BARS} --no-output --set contact.resolve=exact --set contact.restitution=1", None),
        ("two_bars.yaml:13:32: error:", "mkdir bad; cd bad; mkdir -p scenes/papers/dcr; sed -e 's/young: 1,/young: -1,/' -e "
         "'14s/velocity/velocty/' ../scenes/papers/dcr/two_bars.yaml >scenes/papers/dcr/two_bars.yaml; "
         "carom check scenes/papers/dcr/two_bars.yaml", None),
        ("--set time.step=0.2: error:", f"{BARS} --no-output --set time.step=0.2", None),
        ("FAIL last_contact", f"{BARS} --no-output --set expect.last_contact='19.99 .. 20.01'", None),
    ],
}
# The first lines of samples that other tests compare: cli.readme, cli.tours, test_fingerprint below. A program is compiled by
# the reader; what it prints is in the other samples of the page.
ELSEWHERE = {
    "tour.md": ["carom: error: interrupted at step", "342581 steps", "time 40, total"],
    "tour_deck.md": ["carom: note:", "  CLIP:"],
    "tour_drop_test.md": ["  nodes  ", "Contact forces"],
}
DROP = """\
title: A number in another unit
# lengths of a hundred are millimetres
integrator: newmark-dcr
time: {end: 1e-4}
bodies:
  - name: part
    mesh: {box: {from: [0, 0, 0], to: [100, 100, 100], elements: [1, 1, 1]}}
    element: hex8
    material: {linear: {young: 2.1e5, poisson: 0.3,  density: 7850}}
"""


def text(page):
    return (ROOT / "docs" / page).read_text(encoding="utf-8")


def blocks(page):
    """The samples of a page."""
    return [block for kind, block in re.findall(r"^```(\w*)\n(.*?)^```$", text(page), re.MULTILINE | re.DOTALL) if not kind]


def command_before(page, block):
    """The command that stands above a sample, with its further lines."""
    above = text(page)[:text(page).index(block)]
    return re.findall(r"^    ((?:build/)?carom (?:.*\\\n)*.*)$", above, re.MULTILINE)[-1]


class Samples(cli.CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "scenes").symlink_to(ROOT / "scenes")
        (self.folder / "drop.yaml").write_text(DROP, encoding="utf-8")

    def printed(self, commands):
        carom = Path(cli.CAROM).resolve()
        shell = {**os.environ, "PATH": f"{carom.parent}:{os.environ['PATH']}", "OMP_NUM_THREADS": "1"}
        return subprocess.run(["bash", "-c", commands], cwd=self.folder, env=shell, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False).stdout

    def compare(self, page):
        done = {}
        for begin, commands, varies in SAMPLES[page]:
            block, = [block for block in blocks(page) if begin in block.splitlines()[0]]
            commands = commands or command_before(page, block)
            done[commands] = done.get(commands) or self.printed(commands)
            shown, told = (re.sub(varies or "(?!)", "*", re.sub(" +$", "", part, flags=re.MULTILINE), flags=re.MULTILINE)
                           for part in (block, done[commands]))
            for paragraph in shown.strip("\n").split("\n\n"):
                with self.subTest(page=page, sample=begin):
                    self.assertIn(f"\n{paragraph}\n", f"\n{told}\n", f"docs/{page} differs from what {commands} prints")

    def test_closing_table(self):
        self.compare("manual/closing_table.md")

    def test_concepts(self):
        self.compare("manual/concepts.md")

    def test_looking(self):
        self.compare("manual/looking.md")

    def test_resume(self):
        self.compare("manual/resume.md")

    def test_sweep(self):
        self.compare("manual/sweep.md")

    def test_tour(self):
        self.compare("tour.md")

    def test_every_sample_is_tested(self):
        for page in sorted(p.relative_to(ROOT / "docs").as_posix() for p in (ROOT / "docs").glob("**/*.md")):
            known = [row[0] for row in SAMPLES.get(page, [])] + ELSEWHERE.get(page, [])
            for block in blocks(page):
                first = block.splitlines()[0]
                self.assertEqual(sum(begin in first for begin in known), 1, f"{page}: no test for the sample {first!r}")
            self.assertEqual(len(blocks(page)), len(known), page)

    def test_fingerprint(self):
        """The fingerprint of a run that was interrupted and resumed is the one of its command."""
        command = re.search(rf"^    build/({BARS} -o out/long .*)$", text("tour.md"), re.MULTILINE)[1]
        told = re.search(r"^(\d+) steps in .* s after (\d+) before this resumption, (\d+) contact events, "
                         r"state (0x[0-9a-f]{16})$", text("tour.md"), re.MULTILINE)
        # without output the fingerprint is the same, as the tour says
        out = self.printed(command.replace("-o out/long", "--no-output"))
        found = re.search(r"^(\d+) steps in .* s, (\d+) contact events, state (0x[0-9a-f]{16})$", out, re.MULTILINE)
        self.assertEqual(int(found[1]), int(told[1]) + int(told[2]))
        self.assertEqual((found[2], found[3]), (told[3], told[4]))


if __name__ == "__main__":
    cli.main()
