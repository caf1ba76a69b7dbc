# SPDX-License-Identifier: MIT
"""An interrupted run goes on with the same bits: files and state hash equal those of a run that was left alone."""
import csv
import shutil
import signal
from pathlib import Path

import cli

HOP = """
integrator: newmark-dcr
time: {end: 0.6, step: 0.0079}
gravity: [0, 0, -1]
bodies:
  - name: plate
    mesh: {box: {from: [-0.2, -0.2, -0.2], to: [1.6, 1.2, 0], elements: [18, 14, 1]}}
    element: hex8
    material: {neo-hookean: {young: 20, poisson: 0.2, density: 1}}
  - name: block
    mesh: {box: {from: [0, 0, 0.001], to: [1, 1, 0.3], elements: [13, 13, 2]}}
    element: hex8
    material: {neo-hookean: {young: 20, poisson: 0.2, density: 1}}
    velocity: [0.5, 0.1, -0.1]
restraints:
  - {body: plate, set: zmin, fix: xyz}
contact: {restitution: 0.3, friction: {static: 0.4, kinetic: 0.1, decay: 5}}
output: {history: {every: 1}, fields: {every: 0}}
"""


class Resume(cli.CommandTest):
    LENGTH = dict(end=2000, step=0.05, every=10, frames=2000)

    def files(self, directory):
        """All files of a result but those that hold wall times."""
        root = self.folder / directory
        return {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*"))
                if p.is_file() and p.name not in ("summary.json", "checkpoint.carom")}

    def assert_same(self, directory, reference):
        mine, other = self.files(directory), self.files(reference)
        self.assertEqual(mine.keys(), other.keys())
        for name in mine:
            self.assertEqual(mine[name], other[name], name)
        a, b = cli.result(self.folder / directory), cli.result(self.folder / reference)
        for timing in ("wall_seconds", "scene"):
            a.pop(timing), b.pop(timing)
        self.assertEqual(a, b)

    def rows(self, directory):
        path = self.folder / directory / "history.csv"
        return path.read_bytes().count(b"\n") if path.exists() else 0

    def interrupt(self, number, rows, *arguments):
        """Runs until there are some rows, then sends a signal; returns the exit code."""
        process = self.start("run", *arguments)
        cli.wait_for(lambda: self.rows("cut") >= rows or process.poll() is not None)
        process.send_signal(number)
        process.communicate(timeout=600)
        return process.returncode

    def test_least_distance(self):
        """Edge on edge, where distances of single features are compared that are equal but for rounding."""
        box = ("mesh: {box: {from: [-0.25, -0.25, -0.25], to: [0.25, 0.25, 0.25], elements: [2, 2, 2]}}, element: hex8, "
               "material: {neo-hookean: {young: 1.0e+5, poisson: 0.3, density: 500}}")
        scene = self.folder / "edges.yaml"
        scene.write_text("integrator: newmark-dcr\ntime: {end: 0.4, step: 0.004}\ngravity: [0, 0, -10]\nbodies:\n"
                         f"  - {{name: a, {box}, place: [{{angle: 45, axis: [1, 0, 0]}}]}}\n"
                         f"  - {{name: b, {box}, place: [{{angle: 45, axis: [0, 1, 0]}}, {{translate: [0, 0, 0.7172]}}], "
                         "velocity: [0, 0, -3]}\n"
                         "contact: {restitution: 0.4, friction: 0.3, planes: [{name: floor, point: [0, 0, -0.36], "
                         "normal: [0, 0, 1]}]}\noutput: {history: {every: 7}, fields: {every: 5}, checkpoint: {every: 1}}\n",
                         encoding="utf-8")
        self.carom("run", scene, "-o", "whole", "-q")
        for end in (0.02, 0.048, 0.1, 0.2):
            name = f"cut{end}"
            self.carom("run", scene, "-o", name, "-q", "--set", f"time.end={end}")
            self.carom("run", scene, "-o", name, "-q", "--resume")
            found, expected = (cli.result(self.folder / each)["minimum_distance"] for each in (name, "whole"))
            self.assertEqual(found, expected, name)

    def test_interrupted_often(self):
        scene = self.scene(**self.LENGTH)
        self.carom("run", scene, "-o", "whole")
        arguments = [scene, "-o", "cut"]
        interruptions = 0
        for rows in (1, 500, 1500, 2500):
            number = signal.SIGINT if rows < 1000 else signal.SIGTERM
            code = self.interrupt(number, rows, *arguments)
            # the rows may be there already: a signal before the run has begun ends the process and changes nothing
            if interruptions and code == -number:
                continue
            self.assertIn(code, (0, 130))
            interruptions += code == 130
            if code == 0:
                break
            arguments = [scene, "-o", "cut", "--resume"]
        self.assertGreater(interruptions, 0)
        if code != 0:
            self.carom("run", scene, "-o", "cut", "--resume")
        self.assert_same("cut", "whole")
        self.assertFalse((self.folder / "cut/checkpoint.carom").exists())

    def test_killed_after_checkpoint(self):
        checkpoints = ["--set", "output.checkpoint.every=777"]
        scene = self.scene(**self.LENGTH)
        self.carom("run", scene, "-o", "whole", *checkpoints)
        for rows in (300, 1700):
            shutil.rmtree(self.folder / "cut", ignore_errors=True)
            process = self.start("run", scene, "-o", "cut", *checkpoints)
            cli.wait_for(lambda: self.rows("cut") >= rows and (self.folder / "cut/checkpoint.carom").exists()
                         or process.poll() is not None)
            process.kill()
            process.communicate()
            self.assertEqual(process.returncode, -signal.SIGKILL)
            # what is there can be read: whole lines, a complete list of complete frames
            text = (self.folder / "cut/history.csv").read_text()
            self.assertTrue(text.endswith("\n"))
            self.assertTrue((self.folder / "cut/fields.pvd").read_text().endswith("</VTKFile>\n"))
            self.carom("run", scene, "-o", "cut", "--resume", *checkpoints)
            self.assert_same("cut", "whole")

    def test_checkpoint_by_step_is_exact(self):
        """A checkpoint at a known step, between two rows, and files that went on beyond it."""
        scene = self.scene(end=50, every=7, frames=50)
        self.carom("run", scene, "-o", "whole")
        self.carom("run", scene, "-o", "cut", "--set", "time.end=25.15", "--set", "output.checkpoint.every=100")
        self.assertTrue((self.folder / "cut/checkpoint.carom").exists())
        # the end of the shorter run is a row and a frame of its own, so it is not the same; a longer one must still go on from it
        self.carom("run", scene, "-o", "cut", "--resume")
        whole, cut = self.files("whole")["history.csv"].splitlines(), self.files("cut")["history.csv"].splitlines()
        extra = 1 + 503 // 7 + 1
        # the peaks of the next row are those since that row
        self.assertLessEqual(set(cut) - set(whole), {cut[extra], cut[extra + 1]})
        columns = cut[0].split(b",").index(b"left.max_von_mises")
        self.assertEqual(cut[extra + 1].split(b",")[:columns], whole[extra].split(b",")[:columns])
        self.assertEqual(cli.result(self.folder / "whole")["state_hash"], cli.result(self.folder / "cut")["state_hash"])

    def test_tied_bodies_that_bounce(self):
        """What ties owe to elastic impacts goes on as well."""
        scene = Path(__file__).resolve().parents[2] / "scenes/verify/bounces/tied_halves.yaml"
        ends = ["--set", "expect={}", "--set", "time.end=3"]
        self.carom("run", scene, "-o", "whole", *ends)
        # in the middle of the first bounce, between the impacts on tied nodes and their closing
        for step in (153, 160, 163):
            more = ["--set", f"output.checkpoint.every={step}", "--set", "time.end=0.75"]
            self.carom("run", scene, "-o", "cut", *ends[:2], *more)
            self.carom("run", scene, "-o", "cut", "--resume", *ends)
            self.assertEqual(cli.result(self.folder / "whole")["state_hash"], cli.result(self.folder / "cut")["state_hash"])
            shutil.rmtree(self.folder / "cut")

    def test_block_that_hops_and_slides(self):
        """Surfaces meet, slide, part and meet again. What contact keeps from step to step is no part of the state: a run that
        is cut in any phase, and one with other threads, goes on to the same bits."""
        scene = self.folder / "hop.yaml"
        scene.write_text(HOP, encoding="utf-8")
        self.carom("run", scene, "-o", "whole", "--threads", 1)
        reference = cli.result(self.folder / "whole")["state_hash"]
        contacts = [int(float(row["contacts"])) for row in csv.DictReader((self.folder / "whole/history.csv").open())]
        meets, parts = contacts.index(max(contacts)), len(contacts) - 1 - contacts[::-1].index(0)
        self.assertTrue(0 < meets < parts < len(contacts) - 1, contacts)
        for step, threads in ((13, 8), (40, 1), (52, 3), (66, 8)):
            cut = ["--set", f"output.checkpoint.every={step}", "--set", f"time.end={step * 0.0079:g}"]
            self.carom("run", scene, "-o", "cut", "--threads", threads, *cut)
            self.carom("run", scene, "-o", "cut", "--threads", threads, "--resume")
            self.assertEqual(cli.result(self.folder / "cut")["state_hash"], reference)
            shutil.rmtree(self.folder / "cut")

    def test_finished(self):
        scene = self.scene(end=2)
        self.carom("run", scene, "-o", "out")
        before = self.files("out")
        out, _ = self.carom("run", scene, "-o", "out", "--resume")
        self.assertEqual(out, "nothing to do: the run in out is complete\n")
        self.assertEqual(self.files("out"), before)
        # with a checkpoint of the end too
        self.carom("run", scene, "-o", "kept", "--set", "output.checkpoint.every=10")
        before = self.files("kept")
        self.carom("run", scene, "-o", "kept", "--resume", "--set", "output.checkpoint.every=10")
        self.assertEqual(self.files("kept"), before)

    def test_finished_run_of_another_scene(self):
        scene = self.scene(end=2, more="expect: {steps: 40}\n")
        self.carom("run", scene, "-o", "out")
        before, summary = self.files("out"), (self.folder / "out/summary.json").read_bytes()
        for change, message in {
                "bodies[0].velocity=[0.2,0,0]": "is complete and had another model",
                "contact.restitution=0.25": "is complete and had another model",
                "time.step=0.04": "is complete and had another time step",
                "expect.steps=41": "is complete and had other gates",
                "expect.momentum_error='< 1'": "is complete and had other gates",
                "time.end=4": "is complete at time 2 and kept no checkpoint to go on from (output.checkpoint.every keeps one)",
                "time.end=1": "has reached time 2, which is later than time.end"}.items():
            out, err = self.carom("run", scene, "-o", "out", "--resume", "--set", change, code=2)
            self.assertEqual(out, "")
            self.assertIn(f"carom: error: cannot resume: the run in out {message}", err)
        self.assertEqual(self.files("out"), before)
        self.assertEqual((self.folder / "out/summary.json").read_bytes(), summary)
        # the verdict of the finished run stands
        failed = self.scene("failed.yaml", end=2, more="expect: {steps: 41}\n")
        self.carom("run", failed, "-o", "failed", code=1)
        self.carom("run", failed, "-o", "failed", "--resume", code=1)

    def test_finished_run_with_damping(self):
        """Drag and damping are part of the forces of the last kick and belong to velocities before it, which no checkpoint has:
        what the ledger says of the last step stays as it was, to the last bit."""
        scene = self.scene(more="gravity: [0, 0, -0.01]\n")
        for damping in ("{stiffness: 0.05}", "{mass: 0.03}", "{mass: 0.03, stiffness: 0.05}"):
            for end in (0.7, 1.6, 2, 2.85, 3.3, 4):
                with self.subTest(damping=damping, end=end):
                    more = ["--set", "output.checkpoint.every=1", "--set", f"time.end={end}", "--set", "output.probes=[]"]
                    for body in (0, 1):
                        more += ["--set", f"bodies[{body}].damping={damping}"]
                    self.carom("run", scene, "-o", "whole", *more)
                    shutil.copytree(self.folder / "whole", self.folder / "cut", dirs_exist_ok=True)
                    self.assertNotEqual(cli.result(self.folder / "cut")["ledger"]["last"]["oscillation"], 0)
                    self.carom("run", scene, "-o", "cut", "--resume", *more)
                    self.assert_same("cut", "whole")

    def test_earlier_end(self):
        scene = self.scene(end=4)
        self.carom("run", scene, "-o", "out", "--set", "output.checkpoint.every=20")
        before = self.files("out")
        _, err = self.carom("run", scene, "-o", "out", "--resume", "--set", "time.end=2", code=2)
        self.assertEqual(err, "carom: error: cannot resume: the run in out has reached time 4, which is later than time.end\n")
        self.assertEqual(self.files("out"), before)

    def test_resumed_run_counts_its_own_steps(self):
        scene = self.scene(end=4)
        self.carom("run", scene, "-o", "out", "--set", "output.checkpoint.every=20")
        out, _ = self.carom("run", scene, "-o", "out", "--resume", "--set", "time.end=5")
        self.assertRegex(out, r"\n20 steps in .* s after 80 before this resumption, ")

    def test_refused(self):
        scene = self.scene(end=2)
        _, err = self.carom("run", scene, "-o", "nothing", "--resume", code=2)
        self.assertEqual(err, "carom: error: there is nothing to resume: nothing holds no checkpoint\n")
        self.assertFalse((self.folder / "nothing").exists())
        _, err = self.carom("run", scene, "--no-output", "--resume", code=2)
        self.assertIn("--resume needs the output directory", err)

        self.carom("run", scene, "-o", "out", "--set", "output.checkpoint.every=20")
        before = self.files("out")
        for change, message in {"time.step=0.04": "time step", "bodies[0].velocity=[0.2,0,0]": "another model",
                                "output.history.bodies=true": "are not those of this scene"}.items():
            _, err = self.carom("run", scene, "-o", "out", "--resume", "--set", "time.end=4", "--set", change, code=2)
            self.assertIn(message, err)
            self.assertEqual(self.files("out"), before)

        # a damaged checkpoint
        checkpoint = self.folder / "out/checkpoint.carom"
        data = checkpoint.read_bytes()
        for bad in (b"", data[:100], data[:-1], b"x" + data[1:], data[:200] + bytes([data[200] ^ 1]) + data[201:]):
            checkpoint.write_bytes(bad)
            _, err = self.carom("run", scene, "-o", "out", "--resume", code=2)
            self.assertIn("checkpoint", err)

    def test_lost_files_are_refused(self):
        """Frames and tables that the checkpoint relies on are deleted, emptied or cut: nothing is resumed, nothing is changed."""
        scene = self.scene(end=4, frames=10)
        self.carom("run", scene, "-o", "out", "--set", "output.checkpoint.every=20")
        kept = self.files("out")
        self.assertIn("fields/frame_000008.vtu", kept)
        frame = "of the 9 frames up to the checkpoint are missing or cut off, the first is out/fields/frame_00000"
        whole = len(kept["fields/frame_000003.vtu"])
        for names, size, message in (
                (["fields/frame_000003.vtu"], None, f"1 {frame}3.vtu"), (["fields/frame_000003.vtu"], 0, f"1 {frame}3.vtu"),
                (["fields/frame_000003.vtu"], whole - 2, f"1 {frame}3.vtu"),
                (["fields/frame_000008.vtu"], whole // 2, f"1 {frame}8.vtu"),
                ([n for n in kept if n.startswith("fields/")], None, f"9 {frame}0.vtu"),
                (["fields.pvd"], None, "out/fields.pvd"), (["fields.pvd"], 0, "out/fields.pvd has lost frames"),
                (["history.csv"], None, "out/history.csv is missing"), (["history.csv"], 0, "out/history.csv"),
                (["history.csv"], 2000, "out/history.csv has lost rows"), (["probes.csv"], None, "out/probes.csv"),
                (["probes.csv"], 1000, "out/probes.csv has lost rows")):
            for name in names:
                path = self.folder / "out" / name
                if size is None:
                    path.unlink()
                else:
                    path.write_bytes(kept[name][:size])
            before = self.files("out")
            _, err = self.carom("run", scene, "-o", "out", "--resume", "--set", "time.end=6", code=2)
            self.assertIn("cannot resume", err)
            self.assertIn(message, err)
            self.assertEqual(self.files("out").keys(), before.keys(), names)
            for name in names:
                (self.folder / "out" / name).write_bytes(kept[name])
        self.carom("run", scene, "-o", "out", "--resume", "--set", "time.end=6")

    def test_changed_output_is_reported(self):
        scene = self.scene(end=4, every=10, frames=10)
        checkpoint = ["--set", "output.checkpoint.every=20", "--set", "time.end=6"]

        def resume(change, code=0):
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            self.carom("run", scene, "-o", "out", "-q", "--set", "output.checkpoint.every=20")
            return self.carom("run", scene, "-o", "out", "--resume", *checkpoint, "--set", change, code=code)[1]

        self.assertIn("note: history.csv: every 10 steps up to step 80, every 5 from there on\n",
                      resume("output.history.every=5"))
        self.assertIn("note: frames: every 10 steps up to step 80, every 4 from there on\n", resume("output.fields.every=4"))
        self.assertIn("note: probes.csv ends at step 80: it is no longer written\n", resume("output.probes=[]"))
        self.assertIn("note: the animation ends at step 80: it is no longer written\n", resume("output.fields.every=0"))
        self.assertIn("note: contacts.csv begins at step 80: it was not written before\n", resume("output.contacts.every=1"))
        self.assertIn("error: cannot resume: output.probes has changed", resume("output.probes[0].set=start", code=2))
        self.assertIn("error: cannot resume: output.probes has changed",
                      resume("output.probes=[{name: tip, body: left, set: end}]", code=2))
        self.assertNotIn("steps up to step", resume("gravity=[0,0,0]"))

    def test_new_run_clears_old_results(self):
        scene = self.scene(end=2, frames=1)
        self.carom("run", scene, "-o", "out", "--set", "output.checkpoint.every=20")
        (self.folder / "out/notes.txt").write_text("mine")
        (self.folder / "out/fields/frame_mine.vtu").write_text("mine")
        self.carom("run", scene, "-o", "out", "--set", "output.fields.every=20", "--set", "output.probes=[]")
        names = set(self.files("out"))
        self.assertEqual(names, {"history.csv", "pairs.csv", "fields.pvd", "fields/frame_000000.vtu", "fields/frame_000001.vtu",
                                 "fields/frame_000002.vtu", "fields/frame_mine.vtu", "notes.txt", "scene.yaml"})
        self.assertFalse((self.folder / "out/checkpoint.carom").exists())

    def test_own_scene_is_not_overwritten(self):
        scene = self.scene("scene.yaml", end=2)
        text = scene.read_text()
        _, err = self.carom("run", scene, "-o", ".")
        self.assertRegex(err, r"^carom: note: \./scene\.yaml was not written by carom and is kept")
        self.assertEqual(scene.read_text(), text)

    def test_files_of_others_are_refused(self):
        scene = self.scene(end=2, frames=10)
        self.carom("run", scene, "-o", "out", "--set", "output.checkpoint.every=20")
        out = self.folder / "out"
        foreign = {"history.csv": "date,price\n", "probes.csv": "time,temperature\n0,1\n", "summary.json": '{"mine": 1}',
                   "fields.pvd": '<?xml version="1.0"?>\n<VTKFile type="Collection">\n<Collection>\n'
                                 '<DataSet timestep="0" file="flow/step_0.vtu"/>\n</Collection>\n</VTKFile>\n',
                   "fields/frame_000001.vtu": "mine", "fields.vtkhdf": "mine", "checkpoint.carom": "mine"}
        for name, text in foreign.items():
            path = out / name
            kept = path.read_bytes() if path.exists() else None
            path.write_text(text)
            before = self.files("out")
            for resume in ([], ["--resume"]) if name != "checkpoint.carom" else ([],):
                _, err = self.carom("run", scene, "-o", "out", *resume, code=2)
                self.assertIn(f"out/{name} exists and was not written by carom", err)
                self.assertEqual(self.files("out"), before)
            path.unlink()
            if kept is not None:
                path.write_bytes(kept)
        # an empty file is nobody's, and a result is replaced
        (out / "probes.csv").write_text("")
        self.carom("run", scene, "-o", "out")

    def test_links_of_temporary_files_are_not_followed(self):
        """A folder of a stranger holds links of the names under which files are written: their targets are left alone."""
        scene = self.scene(end=2, frames=10)
        (self.folder / "out/fields").mkdir(parents=True)
        mine = self.folder / "mine"
        mine.write_text("mine")
        for resume in ([], ["--resume"]):
            for name in (".carom-write-test", "scene.yaml.tmp", "summary.json.tmp", "checkpoint.carom.part"):
                (self.folder / "out" / name).unlink(missing_ok=True)
                (self.folder / "out" / name).symlink_to(mine)
            self.carom("run", scene, "-o", "out", "--set", "output.checkpoint.every=20", *resume)
            self.assertEqual(mine.read_text(), "mine")
        (self.folder / "bar.msh.tmp").symlink_to(mine)
        self.carom("mesh", "line", "--set", "from=[0,0,0]", "--set", "to=[1,0,0]", "--set", "elements=2", "-o", "bar.msh")
        self.assertEqual(mine.read_text(), "mine")


if __name__ == "__main__":
    cli.main()
