# SPDX-License-Identifier: MIT
"""Exit codes and messages that scripts rely on."""
import os
import signal
import unittest

import cli


# A step near the limit: the energy of the integrator oscillates by much.
COARSE = """
integrator: newmark-dcr
time: {end: 40, step: 0.9}
bodies:
  - name: bar
    mesh: {line: {from: [0, 0, 0], to: [2, 0, 0], elements: 2}}
    element: {bar: {strain: green}}
    material: {linear: {young: 1, density: 1}}
    velocity: [0.13, 0, 0]
restraints: [{body: bar, set: start, fix: x}]
"""


class ExitCodes(cli.CommandTest):
    def test_done(self):
        environment = {**os.environ, "CAROM_VIEWER": "nowhere.html"}
        out, err = self.carom("run", self.scene(end=2, frames=10), "-o", "out", env=environment)
        self.assertEqual(err, "")
        self.assertTrue(out.startswith("Two bars\nnewmark-dcr, 3 bodies, 43 nodes, 41 elements, 40 steps of 0.05, "))
        self.assertIn("residual", out)
        self.assertTrue(out.endswith("results in out\nview them with: paraview out/fields.pvd\n"))
        self.assertLessEqual(max(map(len, out.splitlines())), 100)
        # with a template of the page there is a nearer way
        template = self.folder / "template.html"
        template.write_text("", encoding="utf-8")
        out, _ = self.carom("run", self.scene(end=2, frames=10), "-o", "out", env={**os.environ, "CAROM_VIEWER": str(template)})
        self.assertTrue(out.endswith("results in out\nview them with: carom view out\n"
                                     "            or: paraview out/fields.pvd\n"))

    def test_head(self):
        """What can touch is told before the first step, and nothing is told of a directory that is refused."""
        scene = self.scene(end=0.05)
        for changes, contact in {
                (): "contact: 2 pairs of neighbours on a line",
                ("contact=false",): "contact: switched off",
                ("bodies[1].mesh.line.from=[0.2,1,0]", "bodies[1].mesh.line.to=[10.2,1,0]", "bodies[2].mesh.point.at=[14,2,0]"):
                    "contact: none (no body has a surface, no two are neighbours on a line)",
                ("contact.planes=[{name: wall, normal: [1,0,0], point: [-30,0,0]}]",):
                    "contact: 2 pairs of neighbours on a line, 1 plane"}.items():
            out, _ = self.carom("run", scene, "--no-output", *(word for c in changes for word in ("--set", c)))
            self.assertEqual(out.splitlines()[2], contact)
            self.assertIn(", 1 step of 0.05, ", out.splitlines()[1])
            self.assertRegex(out, r"\n1 step in .* s, 0 contact events, ")
        (self.folder / "file").write_text("in the way")
        self.assertEqual(self.carom("run", scene, "-o", "file", code=2)[0], "")

    def test_blanks_in_the_path(self):
        environment = {**os.environ, "CAROM_VIEWER": "nowhere.html"}
        out, _ = self.carom("run", self.scene(end=1, frames=10), "-o", "it's here", env=environment)
        self.assertTrue(out.endswith("results in it's here\nview them with: paraview 'it'\\''s here/fields.pvd'\n"))

    def test_large_residual_is_noted(self):
        scene = self.folder / "coarse.yaml"
        scene.write_text(COARSE)
        out, err = self.carom("run", scene, "-o", "out")
        self.assertGreater(cli.result(self.folder / "out")["energy_error"], 0.05)
        self.assertRegex(err, r"^carom: note: the residual reached [\d.]+ % of the energy scale; .*\n$")
        self.assertEqual(self.carom("run", scene, "-o", "out", "-q"), ("", ""))

    def test_quiet(self):
        out, err = self.carom("run", self.scene(end=2), "-o", "out", "--quiet")
        self.assertEqual(out + err, "")
        self.assertTrue(cli.result(self.folder / "out")["completed"])

    def test_gate_passed_and_failed(self):
        scene = self.scene(end=2, more='expect: {steps: 40, momentum_error: "< 1e-12"}\n')
        out, _ = self.carom("run", scene, "-o", "out")
        self.assertEqual(out.count("PASS"), 2)
        scene = self.scene(end=2, more='expect: {steps: 40, contact_events: "> 1e6"}\n')
        out, _ = self.carom("run", scene, "-o", "out", code=1)
        self.assertEqual((out.count("PASS"), out.count("FAIL")), (1, 1))
        expect = cli.result(self.folder / "out")["expect"]
        self.assertEqual([(e["name"], e["passed"]) for e in expect], [("steps", True), ("contact_events", False)])
        out, err = self.carom("run", scene, "-o", "out", "-q", code=1)
        self.assertEqual(out, "")
        self.assertRegex(err, r"^carom: error: expected contact_events > 1e6, found \d+\n$")

    def test_bad_scene(self):
        path = self.scene()
        path.write_text(path.read_text().replace("material", "materal", 1))
        for command in ("run", "check"):
            out, err = self.carom(command, path, code=2)
            self.assertRegex(err, r"scene\.yaml:\d+:\d+: error: .*materal.*did you mean 'material'")
        self.assertFalse((self.folder / "unused").exists())

    def test_check(self):
        good, bad = self.scene("good.yaml"), self.folder / "bad.yaml"
        bad.write_text("title: [\n")
        out, err = self.carom("check", good, good)
        self.assertEqual((out.count(f"{good}: ok\n"), err), (2, ""))
        out, err = self.carom("check", good, bad, good, code=2)
        self.assertEqual(out.count(": ok"), 2)
        self.assertIn("bad.yaml", err)
        self.carom("check", self.folder / "missing.yaml", code=2)

    def test_unwritable(self):
        scene = self.scene(end=2)
        (self.folder / "file").write_text("in the way")
        for directory in ("file", "file/below"):
            out, err = self.carom("run", scene, "-o", directory, code=2)
            self.assertRegex(err, r"^carom: error: cannot create directory file.*: Not a directory\n$")
        self.assertEqual((self.folder / "file").read_text(), "in the way")
        if os.geteuid() != 0:
            (self.folder / "locked").mkdir(mode=0o555)
            out, err = self.carom("run", scene, "-o", "locked", code=2)
            self.assertRegex(err, "Permission denied")

    def test_unwritable_file(self):
        scene = self.scene(end=2)
        (self.folder / "out/history.csv").mkdir(parents=True)
        _, err = self.carom("run", scene, "-o", "out", code=2)
        self.assertRegex(err, r"carom: error: out/history\.csv exists and was not written by carom")
        self.assertEqual([p.name for p in (self.folder / "out").iterdir()], ["history.csv"])

    def test_numerical_failure(self):
        scene = self.scene(end=4000, step=0.9, every=10, frames=100)
        _, err = self.carom("run", scene, "-o", "out", code=2)
        self.assertIn("stable step", err)
        _, err = self.carom("run", scene, "-o", "out", "--set", "time.on_event=warn", code=3)
        self.assertRegex(err, r"^carom: note: time\.step 0\.9 is larger than the stable step 0\.5")
        self.assertRegex(err, r"carom: error: .*the motion is unstable.*larger than the stable step 0\.5; step \d+ is saved in "
                              r"out/checkpoint\.carom\n$")
        self.assertNotIn("--resume", err, "it would fail again")
        summary = cli.result(self.folder / "out")
        self.assertFalse(summary["completed"])
        self.assertEqual(summary["events"]["unstable_step"], 1)
        # the saved state is admissible: the last row of the history is finite
        rows = (self.folder / "out/history.csv").read_text().splitlines()
        self.assertNotRegex(rows[-1], "nan|inf")

    def test_interrupted(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            directory = self.folder / number.name
            process = self.start("run", self.scene(end=1e6), "-o", directory)
            cli.wait_for(lambda: (directory / "history.csv").exists())
            process.send_signal(number)
            out, err = process.communicate(timeout=600)
            self.assertEqual(process.returncode, 130)
            self.assertRegex(err, r"carom: error: interrupted at step \d+ of 20000000; .* --resume\n$")
            self.assertTrue((directory / "checkpoint.carom").exists())
            self.assertFalse(cli.result(directory)["completed"])
            # who forgets --resume is told what was lost
            _, err = self.carom("run", self.scene(end=1), "-o", directory)
            self.assertRegex(err, r"^carom: note: starting again in .*, where a run was interrupted at step \d+ ")

    def test_usage(self):
        out, err = self.carom(code=2)
        self.assertIn("usage: carom COMMAND", err)
        self.assertRegex(self.carom("--version")[0], r"^carom \d+\.\d+\.\d+\n$")
        self.assertIn("commands:", self.carom("--help")[0])
        for command in ("run", "check", "info", "verify", "schema", "manual", "completion", "help"):
            self.assertIn(f"usage: carom {command}", self.carom(command, "--help")[0])
        cases = {
            ("rum",): "unknown command 'rum' (did you mean 'run'?)",
            ("xyzzy",): "unknown command 'xyzzy' (see carom --help)",
            ("run",): "carom run needs SCENE.yaml (see carom run --help)",
            ("run", "a", "b"): "unexpected argument 'b' (see carom run --help)",
            ("run", "a", "--reusme"): "unknown option '--reusme' of carom run (did you mean '--resume'?)",
            ("run", "a", "--threads"): "option --threads needs a value: --threads N",
            ("run", "a", "--threads", "two"): "--threads expects a whole number from 0 to 1024, found 'two'",
            ("run", "a", "--quiet=1"): "option --quiet accepts no value",
            ("schema", "x"): "unexpected argument 'x' (see carom schema --help)",
            ("info", "newmark-drc"): "'newmark-drc' is neither a name nor a result directory (did you mean 'newmark-dcr'?)",
            ("manual", "scen"): "unknown manual 'scen' (did you mean scene)",
            ("completion", "tcsh"): "no completion for the shell 'tcsh' (there are bash, zsh, fish)",
        }
        for arguments, message in cases.items():
            out, err = self.carom(*arguments, code=2)
            self.assertEqual((out, err), ("", f"carom: error: {message}\n"))

    def test_full_stdout(self):
        with open("/dev/full", "w") as full:
            process = cli.subprocess.run([cli.CAROM, "schema"], stdout=full, stderr=cli.subprocess.PIPE, text=True)
        self.assertEqual(process.returncode, 2)
        self.assertIn("carom: error: cannot write to the standard output", process.stderr)

    def test_dump_and_no_output(self):
        scene = self.scene(end=2)
        dump, _ = self.carom("run", scene, "--dump", "--set", "time.end=3")
        again = self.folder / "again.yaml"
        again.write_text(dump)
        self.assertEqual(self.carom("run", again, "--dump")[0], dump)
        self.carom("run", scene, "--no-output")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["again.yaml", "scene.yaml"])


if __name__ == "__main__":
    cli.main()
