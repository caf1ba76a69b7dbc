# SPDX-License-Identifier: MIT
"""The lock of an output directory: a second run is refused, a stale lock is taken over, one of another machine is reported."""
import os
import re
import shutil
import signal
import socket

import cli


class Lock(cli.CommandTest):
    LONG = dict(end=1e6, step=0.05, every=1000000, frames=0)

    def lock(self, directory="out"):
        return self.folder / directory / "lock.carom"

    def begin(self, *more):
        """A run that goes on until it is stopped; returns when it holds the lock and has begun."""
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        process = self.start("run", self.scene("long.yaml", **self.LONG), "-o", "out", "-q", "--threads", 1, *more)
        cli.wait_for(lambda: (self.folder / "out/history.csv").exists() or process.poll() is not None)
        self.assertIsNone(process.poll())
        return process

    def stop(self, process, number):
        process.send_signal(number)
        process.communicate(timeout=600)
        return process.returncode

    def test_second_run_is_refused(self):
        first = self.begin()
        text = self.lock().read_text()
        self.assertRegex(text, rf"\Acarom-lock 1\nprocess {first.pid} -?\d+\nhost \S+\nmachine .*\nsince \d{{4}}-\d\d-\d\dT")
        short = self.scene("short.yaml", end=2)
        for more in ([], ["--resume"]):
            out, err = self.carom("run", short, "-o", "out", *more, code=2)
            self.assertEqual(out, "")
            self.assertRegex(err, rf"^carom: error: out is in use: process {first.pid} on \S+ has been writing there since "
                                  r"\S+ \(choose another directory, or wait\)\n$")
        self.assertEqual(self.lock().read_text(), text)
        # without output there is nothing to protect
        self.carom("run", short, "--no-output", "-q")
        self.assertEqual(self.stop(first, signal.SIGINT), 130)
        self.assertFalse(self.lock().exists())
        self.carom("run", short, "-o", "out", "-q")

    def test_every_end_removes_it(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.assertEqual(self.stop(self.begin(), number), 130, number)
            self.assertFalse(self.lock().exists(), number)
            self.assertTrue((self.folder / "out/checkpoint.carom").exists())
        self.carom("run", self.scene(end=2), "-o", "done", "-q")
        self.carom("run", self.scene("gate.yaml", end=2, more="expect: {steps: 41}\n"), "-o", "gate", "-q", code=1)
        (self.folder / "foreign").mkdir()
        (self.folder / "foreign/history.csv").write_text("mine\n")
        self.carom("run", self.scene(end=2), "-o", "foreign", "-q", code=2)
        self.carom("run", self.scene(end=2), "-o", "done", "-q", "--resume")
        for directory in ("done", "gate", "foreign"):
            self.assertEqual([p.name for p in (self.folder / directory).glob("*lock*")], [], directory)

    def test_closed_standard_output(self):
        """If the reader of a pipe closes it (`carom run ... | head`), the run still continues to its end, with exit code 2."""
        process = self.start("run", self.scene(end=30), "-o", "out")
        process.stdout.close()
        err = process.stderr.read()
        process.stderr.close()
        self.assertEqual(process.wait(), 2)
        self.assertIn("cannot write to the standard output", err)
        self.assertFalse(self.lock().exists())
        self.assertEqual(cli.result(self.folder / "out")["steps"], 600)

    def test_failed_run(self):
        """A computation that fails removes its lock too, and its last frame is audited: steps 0, 20, 40 and the last, 49."""
        block = ("{{name: {0}, mesh: {{box: {{from: [{1}, 0, 0], to: [{2}, 1, 1], elements: [2, 2, 2], cells: tet4}}}}, "
                 "element: tet4, material: {{st-venant-kirchhoff: {{young: 1, density: 1}}}}}}")
        scene = self.folder / "driven.yaml"
        scene.write_text("integrator: newmark-dcr\ntime: {end: 3, step: 0.01}\nbodies:\n"
                         f"  - {block.format('a', 0, 1)}\n  - {block.format('b', 1.495, 2.495)}\n"
                         "restraints:\n  - {body: a, fix: xyz, velocity: [1, 0, 0]}\n  - {body: b, fix: xyz}\n"
                         "output: {fields: {every: 20}}\n")
        _, err = self.carom("run", scene, "-o", "out", "-q", "--threads", 1, code=3)
        self.assertIn("the prescribed motions of 'a' and 'b' lead into each other at time 0.49", err)
        self.assertIn("contact.pairs with `touch: false`; step 49 is saved", err)
        self.assertNotIn("smaller time.step", err)
        self.assertFalse(self.lock().exists())
        summary = cli.result(self.folder / "out")
        self.assertEqual((summary["steps"], summary["audits"]), (49, 4))
        self.assertTrue((self.folder / "out/fields/frame_000003.vtu").exists())
        self.carom("run", scene, "-o", "out", "-q", "--set", "contact.pairs=[{bodies: [a, b], touch: false}]")

    def test_killed_run_leaves_a_stale_lock(self):
        first = self.begin("--set", "output.checkpoint.every=100")
        cli.wait_for(lambda: (self.folder / "out/checkpoint.carom").exists())
        self.assertEqual(self.stop(first, signal.SIGKILL), -signal.SIGKILL)
        self.assertTrue(self.lock().exists())
        text = self.lock().read_text()
        _, err = self.carom("run", self.scene(end=2), "-o", "out")
        self.assertRegex(err, rf"carom: note: out was locked by process {first.pid} since \S+, which is gone: "
                              r"its lock is taken over\n")
        self.assertFalse(self.lock().exists())
        # the number may now belong to another process (here this test), which is recognised by its start time
        for number, ticks in ((os.getpid(), 1), (os.getpid(), None)):
            mine = re.sub(r"process \d+ (-?\d+)", lambda m: f"process {number} {m[1] if ticks is None else ticks}", text)
            self.lock().write_text(mine)
            _, err = self.carom("run", self.scene(end=2), "-o", "out")
            self.assertIn("which is gone", err)

    def test_restarted_machine(self):
        self.stop(self.begin(), signal.SIGKILL)
        lines = self.lock().read_text().split("\n")
        word, machine, boot, space = lines[3].split()
        lines[1] = f"process {os.getpid()} -1"
        lines[3] = f"{word} {machine} another-boot {space}"
        self.lock().write_text("\n".join(lines))
        if machine == "-":
            _, err = self.carom("run", self.scene(end=2), "-o", "out", code=2)
            self.assertIn("cannot be seen whether it still runs", err)
        else:
            _, err = self.carom("run", self.scene(end=2), "-o", "out")
            self.assertIn("which is gone", err)

    def test_other_machine_is_reported(self):
        self.carom("run", self.scene(end=2), "-o", "out", "-q", "--set", "output.checkpoint.every=10")
        text = ("carom-lock 1\nprocess 4711 123\nhost elsewhere\nmachine 1 2 pid:[3]\nsince 2026-01-02T03:04:05Z\n")
        self.lock().write_text(text)
        before = (self.folder / "out/history.csv").read_bytes()
        for more in ([], ["--resume"]):
            _, err = self.carom("run", self.scene(end=4), "-o", "out", *more, code=2)
            self.assertEqual(err, "carom: error: out is locked by process 4711 on elsewhere since 2026-01-02T03:04:05Z; from "
                                  f"{socket.gethostname()} it cannot be seen whether it still runs "
                                  "(if it does not, remove out/lock.carom)\n")
        self.assertEqual(self.lock().read_text(), text)
        self.assertEqual((self.folder / "out/history.csv").read_bytes(), before)
        # the remedy in the message works
        self.lock().unlink()
        self.carom("run", self.scene(end=4), "-o", "out", "--resume", "-q")

    def test_file_of_another_kind(self):
        (self.folder / "out").mkdir()
        for text in ("", "mine\n", "carom-lock 1\n"):
            self.lock().write_text(text)
            _, err = self.carom("run", self.scene(end=2), "-o", "out", code=2)
            self.assertIn("out/lock.carom is no lock of carom: it names no process", err)
            self.assertEqual(self.lock().read_text(), text)

    def test_many_at_once(self):
        """Of many that find one stale lock, one takes it over."""
        self.stop(self.begin(), signal.SIGKILL)
        scene = self.folder / "long.yaml"
        runs = [self.start("run", scene, "-o", "out", "-q", "--threads", 1) for _ in range(8)]
        cli.wait_for(lambda: sum(run.poll() is None for run in runs) <= 1)
        left = [run for run in runs if run.poll() is None]
        self.assertEqual(len(left), 1)
        self.assertIn(f"process {left[0].pid} ", self.lock().read_text())
        refused = [run for run in runs if run is not left[0]]
        for run in refused:
            run.communicate()
        self.assertEqual([run.returncode for run in refused], [2] * 7)
        self.stop(left[0], signal.SIGTERM)
        self.assertEqual(list((self.folder / "out").glob("*lock*")), [])


if __name__ == "__main__":
    cli.main()
