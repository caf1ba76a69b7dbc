#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/check_gpu compares both sides, and finds a difference that is planted. The processor plays the GPU."""
import os
import subprocess
import sys
from pathlib import Path

import cli

ROOT = Path(__file__).resolve().parents[2]

# Stands for a command whose GPU has other bits, or goes on otherwise from a checkpoint.
FAULTY = """#!/usr/bin/env python3
import os, sys
words = sys.argv[1:]
if "gpu" in words and {condition}:
    words += ["--set", "bodies[0].velocity=[0,0.001,0]"]
os.execv({carom!r}, ["carom", *words])
"""
# Stands for a command on a machine without a GPU; counts its runs.
REFUSING = """#!/usr/bin/env python3
import os, sys
words = sys.argv[1:]
if words[0] == "run":
    open({log!r}, "a").write(" ".join(words) + chr(10))
if "gpu" in words:
    print("carom: error: no GPU can be used: none is there", file=sys.stderr)
    sys.exit(2)
os.execv({carom!r}, ["carom", *words])
"""


class CheckGpu(cli.CommandTest):
    def check(self, *words, carom=None, emulate=("--emulate",)):
        done = subprocess.run([sys.executable, ROOT / "tools/check_gpu", *emulate, "--threads", "1", "--carom", carom or cli.CAROM,
                               *words], capture_output=True, text=True, cwd=self.folder, timeout=2400)
        return done.returncode, done.stdout + done.stderr

    def faulty(self, condition):
        path = self.folder / "faulty"
        path.write_text(FAULTY.format(condition=condition, carom=str(Path(cli.CAROM).resolve())), encoding="utf-8")
        path.chmod(0o755)
        return path

    def test_equal(self):
        names = ("gallery/dropped_tin", "verify/taylor/one_point", "gallery/bouncing_balls")
        code, out = self.check("--steps", "20", "--keep", "kept", *names)
        self.assertEqual(code, 0, out)
        for name in names:
            self.assertRegex(out, rf"(?m)^{name} \(.*\): 20 steps, \d+ contacts, \d+ files equal, state ")
        self.assertTrue(out.endswith("3 checks, 0 failed\n"), out)
        self.assertTrue((self.folder / "kept/gallery_dropped_tin_gpu/summary.json").exists())

    def test_other_bits(self):
        code, out = self.check("--steps", "6", "gallery/bouncing_balls", carom=self.faulty("True"))
        self.assertEqual(code, 1, out)
        self.assertRegex(out, r"FAILED: differ: checkpoint\.carom, ")
        self.assertTrue(out.endswith("1 check, 1 failed\n"), out)

    def test_other_bits_from_a_checkpoint(self):
        code, out = self.check("--steps", "6", "gallery/bouncing_balls", carom=self.faulty("any('_then_' in word for word in words)"))
        self.assertEqual(code, 1, out)
        self.assertRegex(out, r"FAILED: (exit code \d|cpu, then gpu from the checkpoint: another)")

    def test_no_gpu(self):
        path, log = self.folder / "refusing", self.folder / "log"
        path.write_text(REFUSING.format(log=str(log), carom=str(Path(cli.CAROM).resolve())), encoding="utf-8")
        path.chmod(0o755)
        code, out = self.check("--sanitizer", "no", carom=path, emulate=())
        self.assertEqual(code, 1, out)
        self.assertEqual(out.count("no GPU can be used: none is there"), 1, out)
        self.assertEqual(len(log.read_text(encoding="utf-8").splitlines()), 1)

    def test_unknown_scene(self):
        code, out = self.check("gallery/nothing")
        self.assertEqual(code, 1)
        self.assertIn("there is no scene gallery/nothing; known are: gallery/dropped_part, ", out)


if __name__ == "__main__":
    os.environ.pop("CAROM_DEVICE_EMULATE", None)
    cli.main()
