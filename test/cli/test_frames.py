# SPDX-License-Identifier: MIT
"""Large frames are written beside the run: the same files, complete or absent, and a failure leaves a run that can go on."""
import resource
import signal
import subprocess
import time

import cli

SCENE = """\
title: A block of tetrahedra falls
integrator: newmark-dcr
time: {end: 0.6, step: 0.02}
bodies:
  - name: block
    mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [16, 16, 16], cells: tet4}}
    element: tet4
    material: {neo-hookean: {young: 1, poisson: 0.3, density: 1}}
    velocity: [0, 0, -0.2]
contact: {restitution: 0.5, planes: [{name: floor, point: [0, 0, -0.01], normal: [0, 0, 1]}]}
output: {directory: unused, history: {every: 3}, fields: {every: 5}}
"""


class Frames(cli.CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "scene.yaml").write_text(SCENE)

    def run_to(self, name, *options, code=0):
        return self.carom("run", "scene.yaml", "-o", name, *options, code=code)

    def files(self, name):
        folder = self.folder / name
        return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*"))
                if path.is_file() and path.name != "summary.json"}

    def assert_whole(self, name):
        """All files are those of a run that was never interrupted; a kill may leave others, half written."""
        found = self.files(name)
        for file, content in self.files("whole").items():
            self.assertTrue(found.get(file) == content, f"{name}/{file}")

    def result_of(self, name):
        result = cli.result(self.folder / name)
        for key in ("wall_seconds", "threads", "scene"):
            del result[key]
        return result

    def test_same_files_on_any_number_of_threads(self):
        self.run_to("one", "--threads", "1")
        self.assertEqual(len(list((self.folder / "one/fields").iterdir())), 7)
        self.assertGreater((self.folder / "one/fields/frame_000000.vtu").stat().st_size, 1 << 20)
        for threads in ("2", "5"):
            self.run_to(threads, "--threads", threads)
            self.assertTrue(self.files(threads) == self.files("one"))

    def check_cut(self, name, err, frame, reason):
        """The run ended at that frame, and goes on as if nothing had been."""
        self.assertRegex(err, rf"error: cannot write {name}/fields/frame_{frame:06d}\.vtu: {reason}; step {5 * frame} "
                              rf"is saved in {name}/checkpoint\.carom: go on from there with --resume\n$")
        result = cli.result(self.folder / name)
        self.assertEqual((result["completed"], result["steps"]), (5 * frame == 30, 5 * frame))
        self.assertEqual((self.folder / name / "fields.pvd").read_text().count("<DataSet"), frame)
        for folder in (self.folder / name / "fields").glob("*.tmp"):
            folder.rmdir()
        self.run_to(name, "--resume")
        self.assert_whole(name)
        self.assertEqual(self.result_of(name), self.result_of("whole"))

    def test_frame_that_cannot_be_written(self):
        self.run_to("whole")
        for last in (2, 4):
            name = f"cut{last}"
            process = self.start("run", "scene.yaml", "-o", name, "-q")
            cli.wait_for(lambda: (self.folder / name / "fields/frame_000000.vtu").exists() or process.poll() is not None)
            process.send_signal(signal.SIGSTOP)
            # a directory in the place of the file that becomes a frame; whatever is there by now stays
            frame = max(len(list((self.folder / name / "fields").iterdir())) + 1, last)
            (self.folder / name / f"fields/frame_{frame:06d}.vtu.tmp").mkdir()
            process.send_signal(signal.SIGCONT)
            _, err = process.communicate(timeout=600)
            self.assertEqual(process.returncode, 2, err)
            self.check_cut(name, err, frame, "Is a directory")

    def test_last_frame_that_cannot_be_written(self):
        self.run_to("whole")
        process = self.start("run", "scene.yaml", "-o", "last", "-q")
        cli.wait_for(lambda: (self.folder / "last/fields/frame_000000.vtu").exists() or process.poll() is not None)
        (self.folder / "last/fields/frame_000006.vtu.tmp").mkdir()
        _, err = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 2, err)
        self.check_cut("last", err, 6, "Is a directory")

    def test_first_frame_too_large(self):
        self.run_to("whole")

        def small_files():
            cli.default_signals()
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            # a checkpoint fits
            resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, 3_000_000))

        process = subprocess.run([cli.CAROM, "run", "scene.yaml", "-o", "small", "-q"], capture_output=True, text=True,
                                 cwd=self.folder, preexec_fn=small_files, timeout=1200)
        self.assertEqual(process.returncode, 2)
        self.check_cut("small", process.stderr, 0, "File too large")

    def test_killed_at_any_time(self):
        self.run_to("whole")
        seen = 0
        for delay in (0.2, 0.35, 0.5, 0.8):
            name = f"killed{delay}"
            process = self.start("run", "scene.yaml", "-o", name, "--set", "output.checkpoint.every=4")
            cli.wait_for(lambda: (self.folder / name / "history.csv").exists() or process.poll() is not None)
            time.sleep(delay)
            process.kill()
            process.communicate()
            listed = (self.folder / name / "fields.pvd").read_text() if (self.folder / name / "fields.pvd").exists() else ""
            for frame in range(listed.count("<DataSet")):
                file = f"fields/frame_{frame:06d}.vtu"
                self.assertEqual((self.folder / name / file).read_bytes(), (self.folder / "whole" / file).read_bytes())
                seen += 1
            if (self.folder / name / "checkpoint.carom").exists() and process.returncode != 0:
                self.run_to(name, "--resume")
                self.assert_whole(name)

    def test_interruption_is_quick(self):
        process = self.start("run", "scene.yaml", "-o", "long", "--set", "time.end=10", "--set", "output.fields.every=1")
        cli.wait_for(lambda: (self.folder / "long/fields/frame_000002.vtu").exists() or process.poll() is not None)
        _, spent = self.interrupt(process)
        self.assertEqual(process.returncode, 130)
        self.assertLess(spent, 2)
        listed = (self.folder / "long/fields.pvd").read_text().count("<DataSet")
        self.assertEqual(len(list((self.folder / "long/fields").iterdir())), listed)


if __name__ == "__main__":
    cli.main()
