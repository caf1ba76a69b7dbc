# SPDX-License-Identifier: MIT
"""Tests carom sweep: runs at many points in one table; sweeps that are killed, resumed or refused; runs that fail."""
import csv
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import cli

NEVER = 'time.end=1e6'


class Sweep(cli.CommandTest):
    def sweep(self, *arguments, code=0, **keywords):
        return self.carom("sweep", *arguments, code=code, **keywords)

    def table(self, directory="out"):
        with open(self.folder / directory / "sweep.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def runs(self, directory="out"):
        return sorted(path.name for path in (self.folder / directory / "runs").iterdir())

    def test_grid_is_that_of_single_runs(self):
        scene = self.scene(end=4)
        out, err = self.sweep(scene, "--vary", "contact.restitution=0,0.50", "--vary", "bodies.left.velocity[0]=0.1:0.3:3",
                              "-o", "out", "-j", 2)
        self.assertEqual(out, "6 runs: 6 done\ntable in out/sweep.csv\npage in out/sweep.html\n")
        self.assertEqual(len(err.splitlines()), 6)
        rows = self.table()
        self.assertEqual(list(rows[0])[:6], ["contact.restitution", "bodies.left.velocity[0]", "run", "status", "message",
                                             "integrator"])
        self.assertEqual([(row["contact.restitution"], row["bodies.left.velocity[0]"]) for row in rows],
                         [(e, v) for e in ("0", "0.5") for v in ("0.1", "0.2", "0.3")])
        self.assertEqual(self.runs(), sorted(row["run"] for row in rows))
        self.assertEqual(rows[1]["run"], "restitution=0_velocity.0=0.2")
        for row in rows:
            values = [f"{key}={row[key]}" for key in list(row)[:2]]
            self.carom("run", scene, "-q", "-o", "alone", "--set", values[0], "--set", values[1])
            alone = cli.result(self.folder / "alone")
            self.assertEqual(row["state_hash"], alone["state_hash"])
            self.assertEqual(float(row["energy_error"]), alone["energy_error"])
            self.assertEqual(float(row["ledger.last.momentum.x"]), alone["ledger"]["last"]["momentum"][0])
            self.assertEqual(float(row["pairs.left-right.impulse"]), alone["pairs"][0]["impulse"])
            self.assertEqual((row["status"], row["message"]), ("done", ""))
            self.assertNotIn("wall_seconds", row)
            folder = self.folder / "out/runs" / row["run"]
            names = {"history.csv", "probes.csv", "pairs.csv", "summary.json", "scene.yaml", "log.txt", "run.json"}
            self.assertEqual({path.name for path in folder.iterdir()}, names)
            for name in ("history.csv", "probes.csv", "pairs.csv"):
                self.assertEqual((folder / name).read_bytes(), (self.folder / "alone" / name).read_bytes(), name)
            with open(folder / "probes.csv", newline="", encoding="utf-8") as file:
                tip = [float(line["tip.vx"]) for line in csv.DictReader(file)]
            found = [float(row[f"probes.tip.vx.{word}"]) for word in ("last", "min", "max")]
            self.assertEqual(found, [tip[-1], min(tip), max(tip)])

    def test_same_table_for_any_number_of_jobs(self):
        # one of the points fails its gate, one is refused by its method: both have messages
        scene = self.scene(end=4, more='expect: {energy_change: "> -0.001"}\n')
        words = ["--vary", "contact.restitution=0,0.5,1", "--vary", "integrator=newmark-dcr,multisymplectic",
                 "--set", "bodies.right.element.bar.strain=small", "--set", "contact.friction=0"]
        for jobs in (1, 2, 5):
            self.sweep(scene, *words, "-o", f"jobs{jobs}", "-j", jobs, "-q", code=2)
        table = (self.folder / "jobs1/sweep.csv").read_bytes()
        self.assertEqual(table, (self.folder / "jobs2/sweep.csv").read_bytes())
        self.assertEqual(table, (self.folder / "jobs5/sweep.csv").read_bytes())
        statuses = [row["status"] for row in self.table("jobs1")]
        self.assertEqual(sorted(set(statuses)), ["done", "gate", "refused"], self.table("jobs1"))
        out = self.sweep(scene, *words, "-o", "jobs1", code=2)[0].splitlines()[0]
        counts = [f"{statuses.count(word)} {said}"
                  for word, said in (("done", "done"), ("gate", "with a failed gate"), ("refused", "refused"))]
        self.assertEqual(out, f"{len(statuses)} runs: {', '.join(counts)}")
        for row in self.table("jobs1"):
            self.assertEqual(bool(row["message"]), row["status"] != "done")
            self.assertEqual(row["state_hash"] == "", row["status"] == "refused")

    def test_list_and_words(self):
        (self.folder / "points.csv").write_text('contact.restitution,bodies.left.velocity\n0.5,"[0.2, 0, 0]"\n1,"[0.3, 0, 0]"\n')
        self.sweep(self.scene(end=2), "--list", "points.csv", "--vary", "integrator=newmark-dcr,asynchronous", "-o", "out", "-q")
        rows = self.table()
        self.assertEqual([(row["contact.restitution"], row["bodies.left.velocity"], row["integrator"]) for row in rows],
                         [(e, v, m) for e, v in (("0.5", "[0.2, 0, 0]"), ("1", "[0.3, 0, 0]"))
                          for m in ("newmark-dcr", "asynchronous")])
        for row in rows:
            self.assertRegex(row["run"], r"^restitution=[\d.]+_velocity=-0\.\d-+0-+0-_integrator=[a-z-]+-[0-9a-f]{12}$")

    def test_random_points(self):
        words = [self.scene(end=1), "--random", 6, "--vary", "contact.restitution=0:1", "--vary",
                 "bodies.right.material.linear.young=0.1:1:log", "-q"]
        self.sweep(*words, "-o", "one", "--seed", 5)
        self.sweep(*words, "-o", "two", "--seed", 5, "-j", 1)
        self.sweep(*words, "-o", "other")
        self.assertEqual((self.folder / "one/sweep.csv").read_bytes(), (self.folder / "two/sweep.csv").read_bytes())
        points = [[float(value) for value in list(row.values())[:2]] for row in self.table("one")]
        self.assertEqual(sorted(int(6 * e) for e, _ in points), list(range(6)))
        self.assertTrue(all(0.1 <= young <= 1 for _, young in points))
        self.assertEqual(set(self.runs("one")) & set(self.runs("other")), set())

    def test_mistakes_cost_no_time(self):
        scene = self.scene()
        (self.folder / "bad.csv").write_text("time.end,contact.friction\n1\n")
        for words, message in ((["--vary", "contact.fricton=0,1"], "unknown key 'fricton' (did you mean 'friction'?)"),
                               (["--vary", "contact.friction=0,1,-1"], "contact.friction: expected a number >= 0, found '-1'"),
                               (["--vary", "bodies.lft.velocity[0]=1"], "'bodies': there is no 'lft' (did you mean 'left'?)"),
                               (["--vary", "bodies.left.velocity[3]=1"], "the components of a vector are [0], [1] and [2]"),
                               (["--vary", "contact.friction=0,,1"], "a value is missing after = or next to a comma"),
                               (["--vary", "contact.friction=0:1"], "has no count"),
                               (["--vary", "integrator=newmark-dcr,euler"], "expected one integrator of"),
                               (["--vary", "time.end=1", "--vary", "time.end=2"], "'time.end' is varied twice"),
                               ([], "nothing is varied"), (["--random", "5"], "--random needs a range"),
                               (["--random", "0", "--vary", "time.end=1:2"], "--random expects a whole number from 1"),
                               (["--seed", "2", "--vary", "time.end=1,2"], "--seed requires --random"),
                               (["--list", "bad.csv"], "bad.csv:2: the row has 1 values, the head has 2 keys"),
                               (["--list", "nowhere.csv"], "nowhere.csv"), (["--vary", "time.end=1", "-j", "0"], "--jobs expects"),
                               (["--vary", "time.end=1", "--resume"], "there is no sweep to resume in out"),
                               (["--vary", "time.end=1", "--set", "tiem.end=1"], "unknown key 'tiem'")):
            out, err = self.sweep(scene, "-o", "out", *words, code=2)
            self.assertEqual(out, "")
            self.assertIn(message, err)
            self.assertFalse((self.folder / "out").exists(), words)
        _, err = self.sweep("nowhere.yaml", "--vary", "time.end=1", code=2)
        self.assertIn("nowhere.yaml", err)

    def test_again_and_more(self):
        scene = self.scene(end=2)
        self.sweep(scene, "--vary", "contact.restitution=0,1", "-o", "out", "-q")
        before = {name: (self.folder / "out/runs" / name / "summary.json").stat().st_mtime_ns for name in self.runs()}
        table = (self.folder / "out/sweep.csv").read_bytes()
        out, err = self.sweep(scene, "--vary", "contact.restitution=0,1", "-o", "out")
        self.assertEqual((out.splitlines()[0], err), ("2 runs: 2 done", ""))
        # a comment changes nothing, and resuming needs no values
        scene.write_text("# a remark\n" + scene.read_text(encoding="utf-8"), encoding="utf-8")
        self.sweep(scene, "--resume", "-o", "out", "-q")
        self.assertEqual((self.folder / "out/sweep.csv").read_bytes(), table)
        # a new value is added, in the order of the command, and what is complete stays
        _, err = self.sweep(scene, "--vary", "contact.restitution=0,0.5,1.0", "-o", "out")
        self.assertIn("2 of 3 runs are complete already", err)
        self.assertEqual([row["contact.restitution"] for row in self.table()], ["0", "0.5", "1"])
        for name, when in before.items():
            self.assertEqual((self.folder / "out/runs" / name / "summary.json").stat().st_mtime_ns, when)
        self.sweep(scene, "--vary", "contact.restitution=0.25", "-o", "out", "-q")
        self.assertEqual([row["contact.restitution"] for row in self.table()], ["0.25", "0", "0.5", "1"])
        self.sweep(scene, "--vary", "contact.restitution=0,0.5,1.0", "-o", "whole", "-q")
        self.sweep(scene, "--vary", "contact.restitution=0,0.5,1.0", "-o", "out", "-q")
        whole = (self.folder / "whole/sweep.csv").read_text().splitlines()
        self.assertEqual((self.folder / "out/sweep.csv").read_text().splitlines()[:4], whole)

    def test_other_sweeps_are_refused(self):
        scene = self.scene(end=2)
        self.sweep(scene, "--vary", "contact.restitution=0,1", "--set", "contact.friction=0.1", "-o", "out", "-q")
        table = (self.folder / "out/sweep.csv").read_bytes()
        vary, same = ["--vary", "contact.restitution=0,1"], ["--set", "contact.friction=0.1"]
        for words, message in ((vary, "out holds a sweep of another scene"),
                               (["--vary", "time.end=1", *same], "out holds a sweep over other keys: contact.restitution, in")):
            _, err = self.sweep(scene, *words, "-o", "out", code=2)
            self.assertIn(message, err)
        scene.write_text(scene.read_text(encoding="utf-8").replace("density: 2", "density: 3"), encoding="utf-8")
        _, err = self.sweep(scene, *vary, *same, "-o", "out", code=2)
        self.assertIn("out holds a sweep of another scene", err)
        self.assertEqual((self.folder / "out/sweep.csv").read_bytes(), table)
        record = self.folder / "out/sweep.json"
        record.write_text(record.read_text().replace('"version": "', '"version": "9.'))
        _, err = self.sweep(scene, *vary, *same, "-o", "out", code=2)
        self.assertIn("out holds a sweep of carom 9.", err)
        record.write_text("{}")
        _, err = self.sweep(scene, *vary, "-o", "out", code=2)
        self.assertIn("out/sweep.json is not the record of a sweep", err)
        record.unlink()
        _, err = self.sweep(scene, *vary, "-o", "out", code=2)
        self.assertIn("out/sweep.csv already exists without a sweep.json", err)

    def test_one_sweep_at_a_time(self):
        scene = self.scene(end=2)
        # as in the background of a shell, where SIGINT is ignored: the runs answer all the same
        words = ["sweep", scene, "--vary", "contact.restitution=0,1", "--set", NEVER, "-o", "out", "-j", "1"]
        first = subprocess.Popen(["sh", "-c", 'trap "" INT; exec "$0" "$@"', cli.CAROM, *map(str, words)], cwd=self.folder,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.finish, first)
        cli.wait_for(lambda: (self.folder / "out/runs/restitution=0/history.csv").exists() or first.poll() is not None)
        _, err = self.sweep(scene, "--vary", "contact.restitution=0,1", "--set", NEVER, "-o", "out", code=2)
        self.assertIn(f"out is in use: process {first.pid} ", err)
        first.send_signal(signal.SIGTERM)
        first.communicate(timeout=600)
        self.assertEqual(first.returncode, 130)
        self.assertFalse((self.folder / "out/lock.carom").exists())

    def test_failed_run_is_a_row(self):
        # two driven bodies, which meet within the run only at the larger of two speeds; this run fails in the computation
        block = ("{{name: {0}, mesh: {{box: {{from: [{1}, 0, 0], to: [{2}, 1, 1], elements: [1, 1, 1], cells: tet4}}}}, "
                 "element: tet4, material: {{st-venant-kirchhoff: {{young: 1, density: 1}}}}}}")
        scene = self.folder / "driven.yaml"
        scene.write_text("integrator: newmark-dcr\ntime: {end: 1, step: 0.01}\nbodies:\n"
                         f"  - {block.format('a', 0, 1)}\n  - {block.format('b', 1.495, 2.495)}\n"
                         "restraints:\n  - {body: a, fix: xyz, velocity: [1, 0, 0]}\n  - {body: b, fix: xyz}\n")
        words = ["--vary", "restraints[0].velocity[0]=0.1,1", "-o", "out"]
        _, err = self.sweep(scene, *words, code=3)
        good, bad = self.table()
        self.assertEqual((good["status"], bad["status"]), ("done", "failed"))
        self.assertIn("lead into each other at time 0.49", bad["message"])
        self.assertNotIn("out/", bad["message"])
        self.assertIn(f"carom: error: runs/{bad['run']}: {bad['message']}", err)
        self.assertEqual(int(bad["steps"]), 49)
        # a failed run would fail again: it is not repeated, and the exit code is the same
        log = self.folder / "out/runs" / bad["run"] / "log.txt"
        when = log.stat().st_mtime_ns
        self.sweep(scene, *words, "-q", code=3)
        self.assertEqual(log.stat().st_mtime_ns, when)

    def test_interrupted_and_resumed(self):
        scene = self.scene(end=300, step=0.01, every=100)
        words = [scene, "--vary", "contact.restitution=0:1:4", "-j", 2, "-q"]
        self.sweep(*words, "-o", "whole")
        process = self.start("sweep", *words, "-o", "out")
        cli.wait_for(lambda: len(list(self.folder.glob("out/runs/*/history.csv"))) > 0 or process.poll() is not None)
        time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 130)
        self.assertIn("interrupted; the same command goes on", err)
        statuses = [row["status"] for row in self.table()]
        self.assertIn("interrupted", statuses)
        self.assertIn("waiting", statuses)
        self.assertTrue(list(self.folder.glob("out/runs/*/checkpoint.carom")))
        self.sweep(*words, "-o", "out")
        self.assertEqual((self.folder / "out/sweep.csv").read_bytes(), (self.folder / "whole/sweep.csv").read_bytes())
        self.assertFalse(list(self.folder.glob("out/runs/*/checkpoint.carom")))

    def test_killed_sweeps_of_forty_runs(self):
        """The process is killed four times, twice together with its runs; the final table is that of a sweep without kills."""
        scene = self.scene(end=20)
        words = [scene, "--vary", "contact.restitution=0:1:8", "--vary", "bodies.left.velocity[0]=0.05:0.25:5", "-j", 2, "-q"]
        self.sweep(*words, "-o", "whole")
        for attempt in range(4):
            process = self.start("sweep", *words, "-o", "out", start_new_session=True)
            done = lambda: len(list(self.folder.glob("out/runs/*/run.json")))
            cli.wait_for(lambda: done() >= 7 * (attempt + 1) or process.poll() is not None)
            self.assertIsNone(process.poll())
            process.kill()
            process.communicate()
            for path in self.folder.glob("out/runs/*/lock.carom") if attempt % 2 else []:
                try:
                    os.kill(int(re.search(r"process (\d+)", path.read_text())[1]), signal.SIGKILL)
                except (FileNotFoundError, ProcessLookupError, TypeError):
                    pass  # it has ended meanwhile
        self.sweep(*words, "-o", "out")
        self.assertEqual((self.folder / "out/sweep.csv").read_bytes(), (self.folder / "whole/sweep.csv").read_bytes())
        self.assertEqual(len(self.runs()), 40)

    def test_what_a_kill_may_leave(self):
        """A complete run without run.json is recorded and not repeated; a run without results of its gates, with a damaged
        checkpoint or without a summary is repeated."""
        scene = self.scene(end=2, more='expect: {energy_change: "< 1"}\n')
        words = [scene, "--vary", "contact.restitution=0:1:5", "-q", "-o", "out"]
        self.sweep(*words)
        table = (self.folder / "out/sweep.csv").read_bytes()
        unrecorded, unjudged, damaged, empty, kept = (self.folder / "out/runs" / name for name in self.runs())
        for path in (unrecorded, unjudged, damaged):
            (path / "run.json").unlink()
        text = (unjudged / "summary.json").read_text()
        (unjudged / "summary.json").write_text(re.sub(r',\s*"expect": \[.*?\n  \]', "", text, flags=re.S))
        self.assertNotIn("expect", (unjudged / "summary.json").read_text())
        self.carom("run", scene, "-q", "-o", "other", "--set", "output.checkpoint.every=10")
        checkpoint = (self.folder / "other/checkpoint.carom").read_bytes()
        (damaged / "checkpoint.carom").write_bytes(checkpoint[:len(checkpoint) // 2])
        (empty / "summary.json").unlink()
        when = {path: (path / "history.csv").stat().st_mtime_ns for path in (unrecorded, kept)}
        self.sweep(*words)
        self.assertEqual((self.folder / "out/sweep.csv").read_bytes(), table)
        for path, before in when.items():
            self.assertEqual((path / "history.csv").stat().st_mtime_ns, before)
        # a folder that belongs to another point
        shutil.rmtree(kept)
        shutil.copytree(unrecorded, kept)
        _, err = self.sweep(*words, code=2)
        self.assertIn("run.json: recorded parameters do not match this folder", err)

    def test_link_of_a_log_is_not_followed(self):
        """A folder of a stranger holds a link in place of the log of a run: its target is left alone."""
        words = [self.scene(end=2), "--vary", "contact.restitution=0,1", "-q", "-o", "out"]
        self.sweep(*words)
        run, mine = self.folder / "out/runs" / self.runs()[0], self.folder / "mine"
        mine.write_text("mine")
        (run / "log.txt").unlink(missing_ok=True)
        (run / "log.txt").symlink_to(mine)
        (run / "run.json").unlink()
        (run / "summary.json").unlink()
        _, err = self.sweep(*words, code=2)
        self.assertRegex(err, "^carom: error: cannot start a run: ")
        self.assertEqual(mine.read_text(), "mine")

    def test_frames_on_request(self):
        scene = self.scene(end=1, frames=10)
        self.sweep(scene, "--vary", "contact.restitution=0", "-o", "plain", "-q")
        self.sweep(scene, "--vary", "contact.restitution=0", "-o", "frames", "-q", "--fields")
        self.assertFalse(list(self.folder.glob("plain/runs/*/fields*")))
        self.assertTrue(list(self.folder.glob("frames/runs/*/fields/frame_000002.vtu")))
        self.assertEqual(self.table("plain")[0]["state_hash"], self.table("frames")[0]["state_hash"])

    def test_default_directory(self):
        self.sweep(self.scene(end=1), "--vary", "contact.restitution=0", "-q", "--set", "output.directory=here")
        self.assertTrue((self.folder / "here-sweep/sweep.csv").exists())

    def page(self, directory="out"):
        text = (self.folder / directory / "sweep.html").read_text(encoding="utf-8")
        return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1])

    def test_page(self):
        scene = self.scene(end=2)
        scene.write_text(scene.read_text(encoding="utf-8").replace("Two bars", "Bars </script> & more"), encoding="utf-8")
        self.sweep(scene, "--vary", "contact.restitution=0,0.5", "--vary", "integrator=newmark-dcr,asynchronous", "-o", "out", "-q")
        data, rows = self.page(), self.table()
        self.assertEqual(data["title"], "Bars </script> & more")
        self.assertEqual(data["keys"], ["contact.restitution", "integrator"])
        self.assertEqual([run["values"] for run in data["runs"]],
                         [[e, m] for e in (0, 0.5) for m in ("newmark-dcr", "asynchronous")])
        for run, row in zip(data["runs"], rows):
            self.assertEqual(run["run"], row["run"])
            for name, value in zip(data["columns"], run["results"]):
                self.assertEqual("" if value is None else value if isinstance(value, str) else float(value),
                                 row[name] if isinstance(value, str) or row[name] == "" else float(row[name]))
        browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        if not browser:
            self.skipTest("there is no Chromium")
        with tempfile.TemporaryDirectory() as profile:
            dom = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                                  "--disable-background-networking", "--disable-component-update", "--disable-sync",
                                  f"--user-data-dir={profile}", "--dump-dom",
                                  (self.folder / "out/sweep.html").as_uri() + "#y=r:energy_error&x=p:integrator"],
                                 capture_output=True, text=True, timeout=600, check=False).stdout
        # four dots in each chart, a ring for the pointer, and two lines of two
        self.assertEqual(len(re.findall(r"<circle", dom)), 2 * (4 + 1))
        self.assertEqual(len(re.findall(r"<path", dom)), 2)
        self.assertEqual(len(re.findall(r"<tr", dom)), 5)
        self.assertIn('<h1 id="title">Bars &lt;/script&gt; &amp; more</h1>', dom)
        self.assertIn('href="runs/restitution%3D0.5_integrator%3Dasynchronous/"', dom)


if __name__ == "__main__":
    cli.main()
