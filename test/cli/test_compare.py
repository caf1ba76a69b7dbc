# SPDX-License-Identifier: MIT
"""carom compare: one scene by several methods."""
import json
import os
import re
import signal
import unittest

import cli
import page

BEAM = """\
integrator: multisymplectic
time: {end: 1.0e-3, step: 1.0e-4}
bodies:
  - name: beam
    mesh: {line: {from: [0, 0, 0], to: [1, 0, 0], elements: 5}}
    element: {exact-beam: {section: rectangle, width: 0.1, height: 0.2}}
    material: {linear: {young: 1000, poisson: 0.3, density: 1}}
"""

BARS = """\
title: Bars </script>
integrator: {{multisymplectic: {{contact-integrator: 1, start: slab}}}}
time: {{end: {end}, step: 0.05}}
bodies:
  - name: left
    mesh: {{line: {{from: [-10, 0, 0], to: [0, 0, 0], elements: 20}}}}
    element: {{bar: {{area: 1}}}}
    material: {{linear: {{young: 1, density: 1}}}}
    velocity: [0.1, 0, 0]
  - name: right
    mesh: {{line: {{from: [0.2, 0, 0], to: [10.2, 0, 0], elements: 20}}}}
    element: {{bar: {{area: 1}}}}
    material: {{linear: {{young: 1, density: 1}}}}
    velocity: [-0.1, 0, 0]
contact: {{restitution: 1}}
output: {{directory: out}}
"""


class CompareTest(cli.CommandTest):
    def setUp(self):
        super().setUp()
        template = self.folder / "template.html"
        template.write_text(page.TEMPLATE, encoding="utf-8")
        self.environment = {**os.environ, "CAROM_VIEWER": str(template)}

    def bars(self, end=30):
        path = self.folder / "bars.yaml"
        path.write_text(BARS.format(end=end), encoding="utf-8")
        return path

    def compare(self, *arguments, code=0):
        return self.carom("compare", *arguments, code=code, env=self.environment)

    def read(self, folder="out-compare"):
        return json.loads((self.folder / folder / "compare.json").read_text(encoding="utf-8"))

    def test_runs_are_those_of_carom_run(self):
        scene = self.bars()
        printed, _ = self.compare(scene, "--integrators", "newmark-dcr,newmark-dcr:step=0.1,multisymplectic", "-o", "both")
        data = self.read("both")
        names = ["newmark-dcr", "newmark-dcr:step=0.1", "multisymplectic"]
        self.assertEqual([run["name"] for run in data["runs"]], names)
        settings = (["--set", "integrator=newmark-dcr"], ["--set", "integrator=newmark-dcr", "--set", "time.step=0.1"], [])
        for run, more in zip(data["runs"], settings):
            self.carom("run", scene, "-q", "-o", "alone", *more)
            alone = cli.result(self.folder / "alone")
            self.assertEqual(run["summary"]["state_hash"], alone["state_hash"], run["name"])
            self.assertEqual(run["summary"], cli.result(self.folder / "both" / run["directory"]))
            self.assertIsNone(run["reason"])
            self.assertIn(run["name"], printed)
        self.assertEqual(data["runs"][1]["set"], ["time.step=0.1"])
        # the parameters that the scene gives to its own method stay
        self.assertIn("start: slab", (self.folder / "both/multisymplectic/scene.yaml").read_text(encoding="utf-8"))

    def test_table_is_that_of_the_summaries(self):
        self.compare(self.bars(), "-o", "both")
        data = self.read("both")
        columns = data["table"]["columns"]
        self.assertEqual([row[0] for row in data["table"]["rows"]], [run["name"] for run in data["runs"]])
        for row, run in zip(data["table"]["rows"], data["runs"]):
            found, summary, last = dict(zip(columns, row)), run["summary"], run["summary"]["ledger"]["last"]
            self.assertEqual(found["steps"], summary["steps"])
            self.assertEqual(found["wall seconds"], summary["wall_seconds"])
            self.assertEqual(found["energy error"], summary["energy_error"])
            self.assertEqual(found["kinetic, end"], last["kinetic"])
            self.assertEqual(found["lost"], last["friction"] + last["restitution"] + last["projection"])
            self.assertEqual(found["residual, end"], last["residual"])
            self.assertEqual(found["release, left - right"], summary["pairs"][0]["last_contact"])
            # the waves of two equal bars part them after twice their length over their speed: 1 + 20
            self.assertAlmostEqual(found["release, left - right"], 21, delta=1)

    def test_a_hint_where_methods_disagree(self):
        # a step of a tenth of the contact is too long for any method: the bars part too slowly
        scene = self.bars()
        printed, _ = self.compare(scene, "--integrators", "newmark-dcr,energy-momentum:step=2", "-o", "rough")
        hint = self.read("rough")["hint"]
        found = re.match(r"newmark-dcr and energy-momentum:step=2 disagree: velocity of (left|right) at the end differs by (\d+) % "
                         r"of the speed of the scene; a smaller step decides$", hint)
        self.assertTrue(found, hint)
        self.assertEqual(printed.count(f"\n{hint}\n"), 1)
        # momenta of the bars from runs with their columns; twice the energy over the momentum is the speed of the scene, 0.1
        ends = []
        for more in (["integrator=newmark-dcr"], ["integrator=energy-momentum", "time.step=2"]):
            self.carom("run", scene, "-q", "-o", "alone", "--set", "output.history.bodies=true",
                       *[word for setting in more for word in ("--set", setting)])
            ends.append(page.csv(self.folder / "alone/history.csv")[f"{found[1]}.px"][-1] / 10)
        self.assertAlmostEqual(float(found[2]), 100 * abs(ends[0] - ends[1]) / 0.1, delta=0.51)

    def test_no_hint_where_they_agree_or_are_asked_something_else(self):
        for methods in ("newmark-dcr,multisymplectic,newmark-dcr:step=0.1",
                        "newmark-dcr,newmark-dcr:bodies.left.velocity=[0.2, 0, 0]", "newmark-dcr,newmark-dcr:time.end=5"):
            printed, _ = self.compare(self.bars(), "--integrators", methods)
            self.assertIsNone(self.read()["hint"])
            self.assertNotIn("disagree", printed)

    def test_page_holds_all_runs(self):
        self.compare(self.bars(), "--integrators", "newmark-dcr,multisymplectic", "-o", "both")
        data = page.payload(self.folder / "both/compare.html")
        self.assertEqual((data["kind"], data["title"]), ("compare", "Bars </script>"))
        self.assertEqual(data["table"], self.read("both")["table"])
        for run, name in zip(data["runs"], ("newmark-dcr", "multisymplectic")):
            self.assertEqual((run["name"], run["integrator"], run["failure"]), (name, name, None))
            self.assertEqual(page.table(run["history"]), page.csv(self.folder / f"both/{name}/history.csv"))
            self.assertEqual([b["name"] for b in run["bodies"]], ["left", "right"])

    def test_a_method_that_cannot_run_the_scene(self):
        scene = self.folder / "beam.yaml"
        scene.write_text(BEAM, encoding="utf-8")
        printed, _ = self.compare(scene, "-o", "beam")
        reason = "newmark-dcr does not support beams (rotational degrees of freedom): use multisymplectic"
        self.assertIn(f"newmark-dcr did not run: {reason}", printed)
        refused = next(run for run in self.read("beam")["runs"] if run["name"] == "newmark-dcr")
        self.assertEqual((refused["reason"], refused["summary"], refused["directory"]), (reason, None, None))
        self.assertFalse((self.folder / "beam/newmark-dcr").exists())
        shown = next(run for run in page.payload(self.folder / "beam/compare.html")["runs"] if run["name"] == "newmark-dcr")
        self.assertEqual((shown["failure"], shown["history"], shown["frames"]), (reason, None, None))
        _, err = self.compare(scene, "--integrators", "newmark-dcr", "-o", "none", code=2)
        self.assertIn(f"newmark-dcr cannot run the scene: {reason}", err)
        self.assertFalse((self.folder / "none").exists())

    def test_a_step_that_is_refused_is_listed(self):
        printed, _ = self.compare(self.bars(end=1), "--integrators", "newmark-dcr:step=2,newmark-dcr")
        refused, good = self.read()["runs"]
        self.assertIn("larger than the stable step", refused["reason"])
        self.assertTrue(good["summary"]["completed"])
        self.assertIn("newmark-dcr:step=2 did not run: ", printed)

    def test_release_is_empty_while_bodies_touch(self):
        # a wave needs 20 through a bar and back: they touch from 1 to 21
        for end, parted in ((30, True), (10, False)):
            self.compare(self.bars(end=end), "--integrators", "newmark-dcr", "--set", "contact.restitution=0", "-o", "both")
            table = self.read("both")["table"]
            row = dict(zip(table["columns"], table["rows"][0]))
            if parted:
                self.assertAlmostEqual(row["release, left - right"], 21, delta=1)
            else:
                self.assertIsNone(row["release, left - right"])

    def test_damping_and_probes_are_in_the_table(self):
        scene = self.bars(end=5)
        text = scene.read_text(encoding="utf-8").replace("  - name: left\n", "  - name: left\n    damping: {mass: 0.01}\n")
        text = text.replace("output: {directory: out}", "output: {directory: out, probes: [{name: tip, body: left, set: end}]}")
        scene.write_text(text, encoding="utf-8")
        printed, _ = self.compare(scene, "--integrators", "newmark-dcr,newmark-dcr:step=0.02", "-o", "both")
        table = self.read("both")["table"]
        for row, run in zip(table["rows"], self.read("both")["runs"]):
            found, last = dict(zip(table["columns"], row)), run["summary"]["ledger"]["last"]
            self.assertGreater(last["damping"], 0)
            lost = sum(last[name] for name in ("friction", "restitution", "projection", "damping"))
            self.assertAlmostEqual(found["lost"], lost, delta=1e-12 * lost)
            probes = page.csv(self.folder / "both" / run["directory"] / "probes.csv")
            shown = {name[:-5]: value for name, value in found.items() if name.startswith("tip.")}
            self.assertEqual(shown, {name: probes[name][-1] for name in shown})
            self.assertTrue({"tip.ux", "tip.vx"} <= set(shown), shown)
            self.assertNotIn("tip.uy", shown)
        self.assertIn("tip.ux, end", printed)

    def test_the_method_of_the_scene_may_be_the_one_that_refuses(self):
        self.compare(self.bars(), "--set", "contact.restitution=0.5")
        runs = {run["name"]: run for run in self.read()["runs"]}
        self.assertIn("no losses", runs["multisymplectic"]["reason"])
        self.assertTrue(runs["newmark-dcr"]["summary"]["completed"])

    def test_variants_by_keys_of_the_scene(self):
        method = "newmark-dcr:contact.resolve=exact:contact.restitution=0.5"
        printed, _ = self.compare(self.bars(), "--integrators", f"newmark-dcr:contact.resolve=projection,{method}")
        runs = self.read()["runs"]
        self.assertEqual(runs[1]["set"], ["contact.resolve=exact", "contact.restitution=0.5"])
        self.assertGreater(runs[1]["summary"]["ledger"]["last"]["restitution"], 0)
        self.assertEqual(runs[0]["summary"]["ledger"]["last"]["restitution"], 0)
        self.assertIn(f"(2) {method}", printed)
        self.assertLessEqual(max(map(len, printed.splitlines())), 100)

    def test_mistakes_cost_no_time(self):
        scene = self.bars()
        for methods, message in (("newmark-dcx", "did you mean 'newmark-dcr'?"), ("euler", "there are newmark-dcr"),
                                 ("multisymplectic:strat=slab", "did you mean 'start'?"),
                                 ("newmark-dcr:step", "expected NAME=VALUE"), ("newmark-dcr,", "between the commas"),
                                 ("newmark-dcr,newmark-dcr", "is given twice"),
                                 ("newmark-dcr,newmark-dcr:contact.resolve=luck", "contact.resolve"),
                                 ("newmark-dcr,newmark-dcr:step=-1", "time.step"),
                                 ("newmark-dcr,newmark-dcr:step=small", "time.step"),
                                 ("newmark-dcr,newmark-dcr:tine.step=1", "tine")):
            _, err = self.compare(scene, "--integrators", methods, code=2)
            self.assertIn(message, err)
        self.assertFalse((self.folder / "out-compare").exists())
        _, err = self.compare(scene, "--set", "time.end=no", code=2)
        self.assertIn("time.end", err)

    def test_without_a_template(self):
        environment = {**self.environment, "CAROM_VIEWER": "nowhere.html"}
        _, err = self.carom("compare", self.bars(end=1), env=environment)
        self.assertIn("note: no page: ", err)
        self.assertTrue((self.folder / "out-compare/compare.json").exists())
        self.assertFalse((self.folder / "out-compare/compare.html").exists())

    def test_gates_are_not_judged(self):
        scene = self.bars(end=1)
        scene.write_text(scene.read_text(encoding="utf-8") + 'expect: {energy_change: "> 5"}\n', encoding="utf-8")
        self.carom("run", scene, "-q", code=1)
        printed, err = self.compare(scene, "-q")
        self.assertEqual((printed, err), ("", ""))

    def test_a_computation_that_fails_is_listed(self):
        method = "newmark-dcr:step=1:time.on_event=warn"
        scene = self.bars(end=5000)
        printed, _ = self.compare(scene, "--integrators", f"{method},newmark-dcr:step=0.4", code=3)
        failed, good = self.read()["runs"]
        self.assertIn("the motion is unstable", failed["reason"])
        self.assertFalse(failed["summary"]["completed"])
        self.assertTrue(good["summary"]["completed"])
        self.assertIn(f"{method} failed: ", printed)

    def test_interruption(self):
        process = self.start("compare", self.bars(end=1e6), "--integrators", "newmark-dcr,multisymplectic",
                             env=self.environment)
        history = self.folder / "out-compare/newmark-dcr/history.csv"
        cli.wait_for(lambda: history.exists() and history.stat().st_size > 1000)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 130)
        self.assertIn("interrupted at step", err)
        self.assertTrue((self.folder / "out-compare/newmark-dcr/checkpoint.carom").exists())
        self.assertFalse((self.folder / "out-compare/multisymplectic").exists())
        # what there is was written
        stopped, waiting = self.read()["runs"]
        self.assertFalse(stopped["summary"]["completed"])
        self.assertIn("interrupted at step", stopped["reason"])
        self.assertEqual((waiting["summary"], waiting["reason"]), (None, "the comparison was interrupted before"))
        self.assertTrue((self.folder / "out-compare/compare.html").exists())


if __name__ == "__main__":
    cli.main()
