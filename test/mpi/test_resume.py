# SPDX-License-Identifier: MIT
"""Runs of several processes that are killed or interrupted go on with the same bits, on any other number of processes."""
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import same_files
import small_scenes

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
import cli

CAROM = Path(os.environ.get("CAROM", "build/carom")).resolve()
MPIRUN = ["mpirun", "--quiet", "--oversubscribe", "--bind-to", "none", "-n"]

# Processor seconds that the answer of a process to a signal may take.
ANSWER = 2
# Seconds that anything may take on a slow and crowded machine: what takes longer hangs.
PATIENCE = 300


def processes_in(directory):
    """The ranks that run into a directory."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0].endswith(b"carom-mpi") and any(str(directory).encode() in word for word in words):
            found.append(int(folder.name))
    return sorted(found)


def wait_for(condition, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("waited in vain")
        time.sleep(0.005)


def default_signals():
    """A test may run where signals are ignored; the command must not inherit that."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1):
        signal.signal(number, signal.SIG_DFL)


class Resume(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="carom-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, text, name="scene.yaml"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def run_scene(self, scene, directory, ranks=0, *more, code=0, owners=""):
        result = same_files.run(CAROM, scene, [], directory, ranks, 1, owners, more)
        self.assertEqual(result[0], code, "".join(result[1:]))
        return result[1:]

    def start(self, scene, directory, *more, program=(CAROM,)):
        """Starts a run into a directory; returns when it has written its first rows."""
        shutil.rmtree(directory, ignore_errors=True)
        process = subprocess.Popen([*map(str, program), "run", str(scene), "-o", str(directory), "--threads", "1", *more],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
                                   env=same_files.environment(), preexec_fn=default_signals)
        self.addCleanup(self.finish, process, directory)
        wait_for(lambda: process.poll() is not None or self.rows(directory) > 1)
        self.assertIsNone(process.poll(), "it has ended already")
        return process

    def finish(self, process, directory):
        """Nothing that a failed test has started goes on."""
        for number in processes_in(directory):
            os.kill(number, signal.SIGKILL)
        if process.poll() is None:
            process.kill()
        process.communicate()

    def rows(self, directory):
        path = directory / "history.csv"
        return path.read_bytes().count(b"\n") if path.exists() else 0

    def end(self, process):
        """Waits for the end of a run; returns the exit code and the messages, but the one about crowded cores."""
        err = same_files.PROGRESS.sub("", process.communicate(timeout=PATIENCE)[1])
        return process.returncode, re.sub(r"carom: note: \d+ processes share .*\n", "", err)

    def assert_same(self, one, other):
        self.assertEqual(same_files.differences(one, other), [])

    def test_killed_and_resumed_on_other_numbers(self):
        """Killed on 3, resumed on 2 and killed, on one and killed, and on 4 to the end: files as if nothing had been."""
        scene = self.write(small_scenes.long_scene(end=60, every=10, frames=2000, checkpoint=70))
        whole, cut = self.folder / "whole", self.folder / "cut"
        self.run_scene(scene, whole)
        chance = random.Random(2005)
        killed = 0
        for turn, ranks in enumerate((3, 2, 0, 4)):
            more = ["--resume"] if turn else []
            program = [*MPIRUN, ranks, f"{CAROM}-mpi"] if ranks else [CAROM]
            if turn == 3:
                self.run_scene(scene, cut, ranks, *more, owners="random:7")
                break
            if not turn:
                shutil.rmtree(cut, ignore_errors=True)
            rows = self.rows(cut) + chance.randint(30, 120)
            process = subprocess.Popen([*map(str, program), "run", str(scene), "-o", str(cut), "--threads", "1", "-q", *more],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                                       env=same_files.environment())
            wait_for(lambda: process.poll() is not None
                     or (self.rows(cut) >= rows and (cut / "checkpoint.carom").exists()))
            # all ranks at once, as when a machine fails
            for number in processes_in(cut) if ranks else [process.pid]:
                os.kill(number, signal.SIGKILL)
                killed += 1
            process.wait(timeout=PATIENCE)
            self.assertNotEqual(process.returncode, 0)
            self.assertLess(self.rows(cut), self.rows(whole))
        self.assertEqual(killed, 6)
        self.assert_same(cut, whole)

    def test_one_rank_is_killed(self):
        """The others end too, and the directory can be resumed from its last checkpoint."""
        scene = self.write(small_scenes.long_scene(end=1e4, every=10, frames=2000, checkpoint=70))
        # the window of contact forces is else a part of the run, whose end is moved here
        window = ["--set", "output.history.force_window=0.5"]
        whole, shorter = self.folder / "whole", ["--set", "time.end=50", *window]
        self.run_scene(scene, whole, 0, *shorter)
        for victim in (0, 2):
            cut = self.folder / f"cut{victim}"
            process = self.start(scene, cut, "--ranks", "3", *window)
            wait_for((cut / "checkpoint.carom").exists)
            numbers = processes_in(cut)
            self.assertEqual(len(numbers), 3)
            os.kill(numbers[victim], signal.SIGKILL)
            code, err = self.end(process)
            self.assertNotEqual(code, 0)
            self.assertEqual(processes_in(cut), [])
            self.assertLess(self.rows(cut), self.rows(whole))
            # the lock is that of a process that is gone
            self.run_scene(scene, cut, 2, "--resume", *shorter)
            self.assert_same(cut, whole)

    def result(self, directory):
        return same_files.json.loads((directory / "summary.json").read_text(encoding="utf-8"))

    def test_checkpoint_of_one_process(self):
        scene = self.write(small_scenes.long_scene(end=20, every=10, frames=500, checkpoint=70))
        whole, cut = self.folder / "whole", self.folder / "cut"
        self.run_scene(scene, whole)
        for ranks, first, then in ((3, 0, 3), (1, 3, 0)):
            shutil.rmtree(cut, ignore_errors=True)
            self.interrupted(scene, cut, first)
            self.run_scene(scene, cut, then, "--resume", owners="random:7" if then else "")
            self.assert_same(cut, whole)

    def interrupted(self, scene, directory, ranks):
        """Runs until there are some rows, then stops it by a signal."""
        process = self.start(scene, directory, "-q", *(["--ranks", str(ranks)] if ranks else []))
        process.send_signal(signal.SIGINT)
        code, err = self.end(process)
        self.assertEqual(code, 130, err)

    def test_signals(self):
        """Each signal ends all processes, with one message and the code of one process; the run goes on from its checkpoint."""
        scene = self.write(small_scenes.long_scene(end=1e5, every=10, frames=0, checkpoint=0))
        cases = [([CAROM], ["--ranks", "3"], number, 130)
                 for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1)]
        # mpirun itself answers these with a code of its own, and keeps its processes for two seconds from ending
        cases += [([*MPIRUN, 3, f"{CAROM}-mpi"], [], number, None) for number in (signal.SIGINT, signal.SIGTERM)]
        cases += [([*MPIRUN, 3, CAROM], [], signal.SIGUSR1, 130)]
        for program, more, number, expected in cases:
            with self.subTest(program=str(program[0]), signal=number.name):
                cut = self.folder / "cut"
                process = self.start(scene, cut, *more, program=program)
                ended, before = cli.spent_by_ended(), sum(map(cli.spent, processes_in(cut)))
                process.send_signal(number)
                wait_for(lambda: not processes_in(cut) if expected else (cut / "summary.json").exists())
                code, err = self.end(process)
                spent = cli.spent_by_ended() - ended - before
                if program[0] != CAROM:
                    # on a busy machine the event loop of mpirun complains of pipes that it has just closed itself
                    err = re.sub(r"^\[warn\] Epoll .*\n", "", err, flags=re.M)
                if expected:
                    self.assertEqual(code, expected, err)
                self.assertNotEqual(code, 0)
                self.assertRegex(err, rf"^carom: error: interrupted at step (\d+) of \d+; step \1 is saved in {cut}/"
                                      r"checkpoint\.carom: go on from there with --resume\n$")
                self.assertLess(spent, 3 * ANSWER)
                step = int(err.split("at step ")[1].split()[0])
                self.assertEqual(self.result(cut)["steps"], step)
                self.assertFalse((cut / "lock.carom").exists())
                more = ["--set", f"time.end={(step + 25) * 0.01}", "--resume", "-q"]
                self.run_scene(scene, cut, 2, *more)
                self.assertEqual(self.result(cut)["steps"], step + 25)

    def test_signals_at_the_start(self):
        """Whenever the signal comes, also while mpirun starts its processes, all end, and no lock stays."""
        scene = self.write(small_scenes.long_scene(end=1e5, every=10, frames=0, checkpoint=0))
        cut = self.folder / "cut"
        for tenths in range(10):
            shutil.rmtree(cut, ignore_errors=True)
            process = subprocess.Popen([CAROM, "run", scene, "-o", cut, "-q", "--ranks", "3"], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL,
                                       env=same_files.environment(), preexec_fn=default_signals)
            self.addCleanup(self.finish, process, cut)
            time.sleep(0.02 + tenths / 10)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
            self.assertIn(process.returncode, (130, -signal.SIGINT))
            wait_for(lambda: not processes_in(cut))
            self.assertFalse((cut / "lock.carom").exists())

    def test_killed_launcher(self):
        """No process goes on when the command that started it was killed."""
        scene = self.write(small_scenes.long_scene(end=1e5, every=10, frames=0, checkpoint=0))
        cut = self.folder / "cut"
        process = self.start(scene, cut, "--ranks", "2")
        self.assertEqual(len(processes_in(cut)), 2)
        process.kill()
        wait_for(lambda: not processes_in(cut))

    def test_resuming_what_cannot_be(self):
        """Refused in the words of one process."""
        scene = self.write(small_scenes.long_scene(end=2, every=10, frames=0, checkpoint=0))
        empty, cut, other = self.folder / "empty", self.folder / "cut", self.folder / "other"
        self.interrupted(self.write(small_scenes.long_scene(end=1e5, every=10, frames=0, checkpoint=0), "long.yaml"), cut, 2)
        for directory, more in ((empty, []), (cut, ["--set", "gravity=[0,0,-2]"]), (cut, ["--set", "time.step=0.005"]),
                                (cut, ["--set", "time.end=0.02"])):
            texts = []
            for ranks in (0, 3):
                shutil.rmtree(other, ignore_errors=True)
                if directory.exists():
                    shutil.copytree(directory, other)
                texts.append(self.run_scene(scene, other, ranks, "--resume", *more, code=2))
            self.assertEqual(texts[0], texts[1])
            self.assertEqual(len(texts[0][1].splitlines()), 1)
        # a damaged one
        path = cut / "checkpoint.carom"
        bytes_ = bytearray(path.read_bytes())
        bytes_[len(bytes_) // 2] ^= 1
        path.write_bytes(bytes_)
        here, there = (self.run_scene(scene, cut, ranks, "--resume", code=2) for ranks in (0, 3))
        self.assertEqual(here, there)
        self.assertIn("is not a complete checkpoint", here[1])

    def test_finished(self):
        scene = self.write(small_scenes.long_scene(end=2, every=10, frames=50, checkpoint=70))
        whole = self.folder / "whole"
        self.run_scene(scene, whole)
        copy = self.folder / "copy"
        shutil.copytree(whole, copy)
        self.run_scene(scene, whole, 3, "--resume")
        self.assert_same(whole, copy)
        plain = self.write(small_scenes.long_scene(end=2, every=10, frames=50, checkpoint=0), "plain.yaml")
        self.run_scene(plain, self.folder / "plain", 2)
        out, _ = self.run_scene(plain, self.folder / "plain", 3, "--resume")
        self.assertEqual(out, f"nothing to do: the run in {self.folder}/plain is complete\n")


if __name__ == "__main__":
    unittest.main(module=sys.modules["__main__"], verbosity=2)
