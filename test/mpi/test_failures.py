# SPDX-License-Identifier: MIT
"""What fails on several processes fails as on one: the same message once, the same exit code, the same files, and no hang."""
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import same_files
import small_scenes
from test_resume import MPIRUN, PATIENCE, default_signals, processes_in, wait_for

CAROM = Path(os.environ.get("CAROM", "build/carom")).resolve()
FAILING_MALLOC = Path(os.environ.get("CAROM_BUILD", CAROM.parent)) / "test/mpi/libfailing_malloc.so"

# A method, or a part of a scene, that runs on one process, and what is said of it on several.
REFUSED = {
    "integrator=asynchronous": "asynchronous runs on one process: use newmark-dcr or energy-momentum, or remove --ranks",
    "integrator=nonsmooth-newmark":
        "nonsmooth-newmark runs on one process: use newmark-dcr or energy-momentum, or remove --ranks",
    "integrator=multisymplectic":
        "multisymplectic runs on one process: use newmark-dcr or energy-momentum, or remove --ranks",
    "contact={resolve: projection}":
        "newmark-dcr with contact.resolve: projection does not support contact of bodies on several processes: "
        "set contact.resolve: exact, or remove --ranks",
}

BEAM = """\
integrator: multisymplectic
time: {end: 0.01, step: 0.0001}
bodies:
  - name: beam
    mesh: {curve: {length: 1, elements: 4}}
    element: {exact-beam: {width: 0.1, height: 0.1}}
    material: {linear: {young: 1e4, density: 1}}
contact: false
"""

IMPLICIT = """\
{method}
gravity: [0, 0, -1]
bodies:
  - {{name: block, mesh: {{box: {{from: [0, 0, 0], to: [1, 1, 1], elements: [3, 3, 3]}}}}, element: hex8,
     material: {{st-venant-kirchhoff: {{young: 100, density: 1}}}}}}
restraints: [{{body: block, set: zmin, fix: xyz}}]
contact: false
output: {{fields: {{every: 2}}}}
"""


class Failures(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="carom-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, text, name="scene.yaml"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def run_scene(self, scene, directory, ranks=0, *more, owners=""):
        return same_files.run(CAROM, scene, [], directory, ranks, 1, owners, more)

    def assert_refused_alike(self, scene, directory, *more):
        """The same line, with exit code 2, from one process and from three."""
        here = self.run_scene(scene, directory, 0, *more)
        there = self.run_scene(scene, directory, 3, *more)
        self.assertEqual(here, there)
        self.assertEqual(here[:2], (2, ""))
        self.assertRegex(here[2], r"\A(carom|.*/scene\.yaml:\d+:\d+|--set \S+): error: .*\n\Z")
        return here[2]

    def start(self, words, **keywords):
        process = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   stdin=subprocess.DEVNULL, preexec_fn=default_signals,
                                   env={**same_files.environment(), **keywords})
        self.addCleanup(self.finish, process)
        return process

    def finish(self, process):
        for number in processes_in(self.folder):
            os.kill(number, signal.SIGKILL)
        if process.poll() is None:
            process.kill()
        process.communicate()

    # Computations that go wrong

    def fails_alike(self, text, sets, code, message):
        scene = self.write(text)
        # the message is in the words of one process
        there = same_files.run(CAROM, scene, sets, self.folder / "serial")
        self.assertEqual(there[0], code, there[2])
        self.assertIn(message, there[2])
        found = same_files.compare(CAROM, scene, sets, self.folder / "runs", [(3, 1, "random:7"), (2, 1, "")])
        self.assertEqual(found, [])

    def test_step_that_is_too_large(self):
        err = self.assert_refused_alike(self.write(small_scenes.FLIES.replace("warn", "stop")), self.folder / "out")
        self.assertIn("is larger than the stable step", err)

    def test_wrong_scene(self):
        scene = self.write(small_scenes.PLANE)
        out = self.folder / "out"
        self.assertIn("expected one integrator of", self.assert_refused_alike(scene, out, "--set", "integrator=newton"))
        self.assertIn("contact.frction", self.assert_refused_alike(scene, out, "--set", "contact.frction=1"))
        self.assertFalse(out.exists())

    # What runs on one process

    def test_refused_by_name(self):
        scene = self.write(small_scenes.PULLED)
        for change, message in REFUSED.items():
            code, out, err = self.run_scene(scene, self.folder / "out", 3, "--set", change)
            self.assertEqual((code, out, err), (2, "", f"carom: error: {message}\n"))
            self.assertFalse((self.folder / "out").exists())
        code, out, err = self.run_scene(self.write(BEAM), self.folder / "out", 2)
        self.assertEqual((code, out, len(err.splitlines())), (2, "", 1), err)
        self.assertIn("runs on one process", err)

    def test_implicit(self):
        """Either refused in one line, or the same files."""
        for method in ("integrator: energy-momentum\ntime: {end: 0.1, step: 0.02}", "analysis: {static: {steps: 3}}"):
            scene = self.write(IMPLICIT.format(method=method))
            code, out, err = self.run_scene(scene, self.folder / "out", 2)
            if code == 2:
                self.assertRegex(err, r"\Acarom: error: [\w-]+ runs on one process: .*remove --ranks\n\Z")
            else:
                self.assertEqual(same_files.compare(CAROM, scene, [], self.folder / "runs", [(3, 1, ""), (1, 1, "")]), [])
                shutil.rmtree(self.folder / "runs")

    # Directories and disks

    def test_directory_that_cannot_be_made(self):
        self.write("", "file")
        err = self.assert_refused_alike(self.write(small_scenes.POINTS), self.folder / "file/out")
        self.assertIn(f"{self.folder}/file/out", err)

    def test_file_in_the_way(self):
        (self.folder / "out").mkdir()
        self.write("date,price\n", "out/history.csv")
        err = self.assert_refused_alike(self.write(small_scenes.POINTS), self.folder / "out")
        self.assertIn("history.csv exists and was not written by carom", err)
        self.assertEqual([path.name for path in (self.folder / "out").iterdir()], ["history.csv"])

    def test_locked_directory(self):
        scene = self.write(small_scenes.long_scene(end=1e5, every=10, frames=0, checkpoint=0), "long.yaml")
        out = self.folder / "out"
        first = self.start([CAROM, "run", scene, "-o", out, "-q", "--ranks", "2"])
        wait_for((out / "history.csv").exists)
        err = self.assert_refused_alike(self.write(small_scenes.POINTS), out)
        self.assertRegex(err, rf"out is in use: process {processes_in(out)[0]} on \S+ has been writing there since")
        first.send_signal(signal.SIGTERM)
        first.communicate(timeout=PATIENCE)
        self.assertEqual(first.returncode, 130)
        self.assertEqual(self.run_scene(self.folder / "scene.yaml", out, 2)[0], 0)

    def rank_zero_of(self, directory):
        for number in processes_in(directory):
            if b"\0OMPI_COMM_WORLD_RANK=0\0" in b"\0" + Path(f"/proc/{number}/environ").read_bytes():
                return number
        return None

    def test_full_disk(self):
        """Files of the first process may not grow any more: as on one process, and with room again the run goes on."""
        scene = self.write(small_scenes.long_scene(end=100, every=1, frames=3000, checkpoint=400))
        whole, cut = self.folder / "whole", self.folder / "cut"
        self.assertEqual(self.run_scene(scene, whole)[0], 0)
        program = [*MPIRUN, 3, "env", "--ignore-signal=XFSZ", f"{CAROM}-mpi"]
        process = self.start([*program, "run", scene, "-o", cut, "--threads", 1])
        wait_for(lambda: (cut / "checkpoint.carom").exists() or process.poll() is not None)
        size = (cut / "history.csv").stat().st_size + 40_000
        resource.prlimit(self.rank_zero_of(cut), resource.RLIMIT_FSIZE, (size, size))
        err = same_files.PROGRESS.sub("", process.communicate(timeout=PATIENCE)[1])
        self.assertEqual(process.returncode, 2, err)
        self.assertRegex(err, rf"\Acarom: error: cannot write {cut}/\S+: File too large; step \d+ is saved in "
                              rf"{cut}/checkpoint\.carom: go on from there with --resume\n\Z")
        self.assertTrue((cut / "history.csv").read_text().endswith("\n"))
        self.assertEqual(self.run_scene(scene, cut, 2, "--resume")[0], 0)
        self.assertEqual(same_files.differences(cut, whole), [])

    def test_small_disk(self):
        """Said before the run."""
        disk = self.folder / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "carom-test", disk], capture_output=True).returncode:
            self.skipTest("cannot mount a tmpfs here")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        scene = self.write(small_scenes.long_scene(end=100, every=1, frames=0, checkpoint=0))
        self.assertIn("but only", self.assert_refused_alike(scene, disk / "out"))

    def test_standard_output_is_full(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([CAROM, "run", self.write(small_scenes.POINTS), "-o", self.folder / "out", "--ranks", "2"],
                                  stdout=full, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE,
                                  env=same_files.environment())
        # mpirun stands between the process and the device
        self.assertIn(done.returncode, (0, 1, 2))
        self.assertTrue((self.folder / "out/summary.json").exists())

    # Memory

    def run_short_of_memory(self, rank, at, count=None):
        """Three processes, of which one gets no memory from a request on; returns code and messages."""
        scene = self.write(small_scenes.long_scene(end=0.1, every=2, frames=5, checkpoint=4).replace("every: 5}", "every: 1}"))
        out, note = self.folder / "out", self.folder / "note"
        shutil.rmtree(out, ignore_errors=True)
        chosen = {"CAROM_TEST_FAIL_RANK": str(rank), "CAROM_TEST_FAIL_AT": str(at), "CAROM_TEST_FAIL_NOTE": str(note)}
        if count:
            chosen["CAROM_TEST_FAIL_COUNT"] = str(count)
        process = self.start([*MPIRUN, 3, "env", f"LD_PRELOAD={FAILING_MALLOC}", f"{CAROM}-mpi", "run", scene, "-o", out, "-q",
                              "--threads", 1], **chosen)
        try:
            _, err = process.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            self.finish(process)
            self.fail(f"hangs when request {at} of rank {rank} fails")
        return process.returncode, err

    @unittest.skipUnless(FAILING_MALLOC.exists(), "sanitizers have an allocator of their own")
    def test_memory_of_one_rank(self):
        """Whichever request fails, alone or with all that follow: all end, with one message and exit code 2."""
        for rank in (0, 1, 2):
            code, err = self.run_short_of_memory(rank, -1)
            self.assertEqual((code, err), (0, ""))
            requests = int((self.folder / "note").read_text())
            self.assertGreater(requests, 300)
            # the last requests of rank 0 are those of its files
            for at in sorted({1, 4, 5, 8, 23, requests // 3, requests // 2, requests - 40, requests - 3}):
                for count in (1, None) if rank == 1 else (1,):
                    with self.subTest(rank=rank, request=at, requests=requests, count=count):
                        for _ in range(10):
                            code, err = self.run_short_of_memory(rank, at, count)
                            # a busy machine takes a few requests more or less, so that the last ones may not be made
                            note = self.folder / "note"
                            if code or not note.exists() or int(note.read_text()) >= at:
                                break
                        self.assertEqual(code, 2, err)
                        self.assertRegex(err, r"\A(carom: error: |.*: error: ).*(no|allocate) memory.*\n\Z")
                        self.assertEqual(processes_in(self.folder), [])


def add(number, text, sets, code, message):
    title = re.search("title: (.*)", text).group(1)
    name = re.sub(r"\W+", "_", f"test_{title} {' '.join(sets)} {number}")
    setattr(Failures, name, lambda self: self.fails_alike(text, sets, code, message))


for row in enumerate(small_scenes.FAILING):
    add(row[0], *row[1])

if __name__ == "__main__":
    unittest.main(module=sys.modules["__main__"], verbosity=2)
