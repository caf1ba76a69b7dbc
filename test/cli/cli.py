# SPDX-License-Identifier: MIT
"""What the tests of the command share: a scene to vary, running the command, reading results."""
import csv
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

# Endings of the columns of the largest stresses and strains of a body.
PEAKS = ("max_von_mises", "max_principal", "min_principal", "max_strain")
CAROM = os.environ.get("CAROM", "build/carom")
SKIPPED = 77
# `make verify` runs the long form of some tests.
LONG = "CAROM_TEST_LONG" in os.environ
# Tests of threads want every thread to take part, also in steps that one makes faster.
os.environ.setdefault("CAROM_THREADS", "fixed")

SCENE = """\
title: Two bars
integrator: newmark-dcr
time: {{end: {end}, step: {step}}}
bodies:
  - name: left
    mesh: {{line: {{from: [-10, 0, 0], to: [0, 0, 0], elements: 20}}}}
    element: {{bar: {{area: 1}}}}
    material: {{linear: {{young: 1, poisson: 0, density: 1}}}}
    velocity: [0.1, 0, 0]
  - name: right
    mesh: {{line: {{from: [0.2, 0, 0], to: [10.2, 0, 0], elements: 20}}}}
    element: {{bar: {{area: 1, strain: green}}}}
    material: {{linear: {{young: 1, poisson: 0, density: 2}}}}
    velocity: [-0.1, 0, 0.01]
  - name: ball
    mesh: {{point: {{at: [14, 0, 0]}}}}
    element: {{point-mass: {{mass: 0.5}}}}
    velocity: [-0.05, 0, 0]
contact: {{restitution: 0.5}}
output:
  directory: unused
  history: {{every: {every}}}
  fields: {{every: {frames}}}
  probes:
    - {{name: tip, body: left, set: end}}
    - {{name: whole, body: right, record: [position, velocity]}}
"""


def default_signals():
    """A test may run where signals are ignored; the command must not inherit that."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def wait_for(condition, seconds=600):
    """Waits until a condition holds; as all limits of time, ten times longer than on a slow machine of today."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("waited in vain")
        time.sleep(0.002)


def spent(pid):
    """Processor seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def spent_by_ended():
    """Processor seconds of all processes that this one has started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def result(directory):
    return json.loads((Path(directory) / "summary.json").read_text(encoding="utf-8"))


class CommandTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="carom-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def scene(self, name="scene.yaml", end=30, step=0.05, every=1, frames=0, more=""):
        path = self.folder / name
        path.write_text(SCENE.format(end=end, step=step, every=every, frames=frames) + more, encoding="utf-8")
        return path

    def start(self, *arguments, **keywords):
        process = subprocess.Popen([CAROM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   preexec_fn=default_signals, cwd=self.folder, **keywords)
        self.addCleanup(self.finish, process)
        return process

    def finish(self, process):
        """Nothing that a failed test has started goes on."""
        if process.poll() is None:
            process.kill()
            process.communicate()

    def interrupt(self, process, number=signal.SIGINT):
        """Sends a signal; returns the messages, and the processor seconds from then to the end: a busy machine takes longer."""
        ended, before = spent_by_ended(), spent(process.pid)
        process.send_signal(number)
        _, err = process.communicate(timeout=2400)
        return err, spent_by_ended() - ended - before

    def carom(self, *arguments, code=0, **keywords):
        """Runs the command to its end and checks the exit code; returns stdout and stderr."""
        process = self.start(*arguments, **keywords)
        out, err = process.communicate(timeout=2400)
        self.assertEqual(process.returncode, code, f"carom {' '.join(map(str, arguments))}\n{out}{err}")
        return out, err


class SceneTest(CommandTest):
    """Runs scenes, each a file or a text, and reads their results."""
    OPTIONS = ()  # words of every run

    def write(self, text, name="scene.yaml"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def run_scene(self, scene, *options, name="out", code=0):
        """The summary of a run; its messages if it fails."""
        scene = self.write(scene) if isinstance(scene, str) else scene
        _, err = self.carom("run", scene, "-q", "-o", name, *self.OPTIONS, *options, code=code)
        return err if code else result(self.folder / name)

    def rows(self, file, name="out"):
        with open(self.folder / name / file, encoding="utf-8") as lines:
            return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(lines)]

    def by(self, scene, name, *settings):
        """Summary of a run with some keys changed, and the columns of its history and probes."""
        summary, columns = self.run_scene(scene, *[word for s in settings for word in ("--set", s)], name=name), {}
        for file in ("history.csv", "probes.csv"):
            rows = self.rows(file, name) if (self.folder / name / file).exists() else []
            columns |= {column: [row[column] for row in rows] for column in (rows[0] if rows else ())}
        return summary, columns

    def same_bits(self, scene, threads, ends, *options, every=1):
        """Any number of threads, and runs that stop at these times and are resumed: the same state and rows. The summary."""
        summaries = [self.run_scene(scene, *options, "--threads", n, name=f"t{n}") for n in threads]
        hashes, first = {summary["state_hash"] for summary in summaries}, self.folder / f"t{threads[0]}/history.csv"
        for end in ends:
            stop = ("--set", f"time.end={end}", "--set", f"output.checkpoint.every={every}", "--threads", 1)
            self.run_scene(scene, *options, *stop, name=f"cut{end}")
            hashes.add(self.run_scene(scene, *options, "--resume", "--threads", 2, name=f"cut{end}")["state_hash"])
            self.assertEqual((self.folder / f"cut{end}/history.csv").read_text(), first.read_text())
        self.assertEqual(len(hashes), 1)
        return summaries[0]


def main():
    global CAROM
    CAROM = str(Path(CAROM).resolve())
    unittest.main(module=sys.modules["__main__"], verbosity=2)
