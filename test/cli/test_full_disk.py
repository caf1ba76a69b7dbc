# SPDX-License-Identifier: MIT
"""A disk that is too small or becomes full: said before the run where it can be known, and no checkpoint is ever lost."""
import resource
import signal
import subprocess

import cli


def small_files():
    """Files of this process may have 150 kB; more fails like a full disk."""
    cli.default_signals()
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))


class FullDisk(cli.CommandTest):
    def run_small(self, *arguments):
        process = subprocess.run([cli.CAROM, "run", *map(str, arguments)], capture_output=True, text=True, cwd=self.folder,
                                 preexec_fn=small_files, timeout=1200)
        return process.returncode, process.stderr

    def test_file_limit(self):
        scene = self.scene(end=400, every=10, frames=1000)
        self.carom("run", scene, "-o", "whole")
        checkpoints = ["--set", "output.checkpoint.every=150"]
        code, err = self.run_small(scene, "-o", "cut", *checkpoints)
        self.assertEqual(code, 2)
        self.assertRegex(err, r"^carom: error: cannot write cut/\w+\.csv: File too large; step \d+ is saved in "
                              r"cut/checkpoint\.carom: go on from there with --resume\n$")
        text = (self.folder / "cut/history.csv").read_text()
        self.assertTrue(text.endswith("\n"))
        self.assertFalse(cli.result(self.folder / "cut")["completed"])
        # with room again the run goes on as if nothing had been
        self.carom("run", scene, "-o", "cut", "--resume", *checkpoints)
        for name in ("history.csv", "probes.csv", "fields.pvd"):
            self.assertEqual((self.folder / "cut" / name).read_bytes(), (self.folder / "whole" / name).read_bytes())
        self.assertEqual(cli.result(self.folder / "cut")["state_hash"], cli.result(self.folder / "whole")["state_hash"])

    def test_frame_too_large(self):
        scene = self.scene(end=10, every=10, frames=100)
        elements = ["--set", "bodies[0].mesh.line.elements=2000", "--set", "time.step=auto"]
        code, err = self.run_small(scene, "-o", "cut", *elements)
        self.assertEqual(code, 2)
        self.assertRegex(err, r"cannot write cut/fields/frame_000000\.vtu: File too large")
        self.assertEqual(list((self.folder / "cut/fields").iterdir()), [])
        self.assertTrue((self.folder / "cut/fields.pvd").read_text().endswith("  <Collection>\n  </Collection>\n</VTKFile>\n"))

    def mount(self, size):
        """A small disk; skips the test where one may not mount."""
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "carom-test", disk], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("cannot mount a tmpfs here")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        return disk

    def test_refused_before_the_run(self):
        disk = self.mount("300k")
        (disk / "keep").write_text("mine")
        _, err = self.carom("run", self.scene(end=400, every=1), "-o", "disk/out", code=2)
        self.assertRegex(err, r"^carom: error: the results need about [\d.]+ MB but only \d+ kB are free in disk/out ")
        self.assertEqual(list((disk / "out").iterdir()), [])

    def test_old_results_count_as_free(self):
        disk = self.mount("1800k")
        scene = self.scene(end=80, every=1)
        self.carom("run", scene, "-o", "disk/out")
        self.assertLess(disk.stat().st_size, 1800_000)
        self.carom("run", scene, "-o", "disk/out")

    def test_full_in_the_middle(self):
        disk = self.mount("2m")
        scene = self.scene(end=100, every=10, frames=100)
        self.carom("run", scene, "-o", "whole")
        checkpoints = ["--set", "output.checkpoint.every=50"]
        process = self.start("run", scene, "-o", "disk/out", "--set", "time.end=1e6", "--set", "output.history.every=500000",
                             "--set", "output.fields.every=20000000", *checkpoints)
        cli.wait_for(lambda: (disk / "out/checkpoint.carom").exists() or process.poll() is not None)
        # somebody else takes all that is left, also what the run gives back
        with open(disk / "hog", "wb", buffering=0) as hog:
            while process.poll() is None:
                try:
                    hog.write(bytes(4096))
                except OSError:
                    pass
        out, err = process.communicate(timeout=1200)
        self.assertEqual(process.returncode, 2)
        self.assertRegex(err, r"cannot write .*: No space left on device; step \d+ is saved in disk/out/checkpoint\.carom")
        (disk / "hog").unlink()
        self.assertTrue((disk / "out/checkpoint.carom").stat().st_size > 0)
        step = int(err.split("; step ")[1].split()[0])
        # the checkpoint is whole: the run goes on from it
        out, _ = self.carom("run", scene, "-o", "disk/out", "--resume", "--set", "output.history.every=500000", "--set",
                            f"time.end={(step + 10) * 0.05}", "--set", "output.fields.every=20000000")
        self.assertEqual(cli.result(disk / "out")["steps"], step + 10)


if __name__ == "__main__":
    cli.main()
