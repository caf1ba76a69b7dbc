# SPDX-License-Identifier: MIT
"""What the command says of itself: info, schema, manual, completion, verify."""
import json
import shutil
import subprocess

import cli


class Info(cli.CommandTest):
    def test_list(self):
        out, _ = self.carom("info")
        for word in ("integrators", "newmark-dcr", "elements", "bar", "point-mass", "materials", "linear", "meshes", "line"):
            self.assertIn(word, out)

    def test_integrator(self):
        out, _ = self.carom("info", "newmark-dcr")
        for word in ("Cirak", "West", "claims", "linear momentum", "angular momentum", "symplectic", "reversible", "order", "parameters"):
            self.assertIn(word, out)

    def test_every_kind(self):
        out, _ = self.carom("info")
        names = [line.split()[0] for line in out.splitlines() if line.startswith("  ")]
        self.assertGreaterEqual(len(names), 7)
        for name in names:
            shown, _ = self.carom("info", name)
            self.assertIn(name, shown.splitlines()[0])
            self.assertLessEqual(max(map(len, shown.splitlines())), 100)

    def test_parameters_have_unit_default_range(self):
        out, _ = self.carom("info", "linear")
        self.assertRegex(out, r"young  a number > 0 \[.*\], required")
        out, _ = self.carom("info", "time")
        self.assertRegex(out, r"step  a number > 0 or auto \[time\], default auto")

    def test_sections(self):
        """The sections of a scene are explained like the kinds."""
        out, _ = self.carom("info", "damping")
        self.assertRegex(out, r"stiffness  a number >= 0 \[time\], default 0")
        out, _ = self.carom("info", "loads")
        self.assertRegex(out, r"keys of a load:\n  body .*, required\n")
        self.assertRegex(out, r"\n  pressure  a number \[.*\]\n")
        _, err = self.carom("info", "dampin", code=2)
        self.assertIn("did you mean 'damping'?", err)

    def test_words_without_a_page(self):
        """A parameter, a choice or the family of a substance leads to where it is explained."""
        for word, text in (("hinge", "'hinge' is a word of joints: see carom info joints"),
                           ("prony", "'prony' is a word of viscoelastic: see carom info viscoelastic"),
                           ("johnson-cook", "'johnson-cook' is a word of j2, viscoelastic: see carom info j2"),
                           ("copper", "of the substances there are copper-ofhc, copper-taylor"),
                           ("stel-304", "did you mean 'steel-304'?")):
            _, err = self.carom("info", word, code=2)
            self.assertIn(text, err)

    def test_words_of_other_programs(self):
        """The row of a word in the page, in any case, with carom's word and where that is found."""
        for words, texts in ((("ALLKE", "allke", "ELKE", "kinetic energy"), ("carom: `kinetic`", "where: a column of history.csv")),
                             (("energy ratio", "Energy-Ratio"), ("LS-DYNA: glstat: energy ratio", "carom: `energy_ratio`")),
                             (("PEEQ",), ("LS-DYNA: effective plastic strain", "carom: `plastic_strain`", "where: a field of the frames")),
                             (("rcforc", "CFN"), ("`pairs.csv`; peaks: `peak_force` (docs/manual/result_files.md)",)),
                             (("*TIE", "*CONTACT_TIED_NODES_TO_SURFACE"), ("carom: `tied` (docs/manual/tied.md)", "where: a key")),
                             (("*Dynamic, explicit",), ("carom: `newmark-dcr`",)),
                             (("sliding interface energy",), ("carom: `friction`", "`projection`"))):
            for word in words:
                out, err = self.carom("info", word)
                self.assertEqual(err, "")
                for text in texts:
                    self.assertIn(text, out)
                self.assertLessEqual(max(map(len, out.splitlines())), 100)
        # one row, although others contain an internal energy; nothing of carom's, nothing to find
        self.assertEqual(self.carom("info", "internal energy")[0].count("carom: "), 1)
        self.assertNotIn("where:", self.carom("info", "STATUS")[0])
        for word, nearest in (("ALKE", "ALLKE"), ("energy rato", "energy ratio")):
            _, err = self.carom("info", word, code=2)
            self.assertEqual(err, f"carom: error: '{word}' is neither a name nor a result directory (did you mean '{nearest}'?)\n")
        for word in ("default", "none", "2", "", "..."):
            self.carom("info", word, code=2)
        # the page and the completion have the same words
        self.assertIn("| kinetic energy | ALLKE | glstat: kinetic energy | ELKE | `kinetic` |\n", self.carom("manual", "words")[0])
        if shutil.which("bash"):
            self.assertEqual(self.complete("carom", "info", "rcf"), ["rcforc"])
        # a directory of that name is shown
        self.carom("run", self.scene(end=1), "-o", "ALLKE")
        self.assertIn("Two bars", self.carom("info", "ALLKE")[0])

    def test_help(self):
        overview, _ = self.carom("help")
        self.assertEqual(overview, self.carom("--help")[0])
        commands = [line.split()[0] for line in overview[:overview.index("options:")].splitlines() if line.startswith("  ")]
        self.assertIn("help", commands)
        for command in commands:
            self.assertEqual(self.carom("help", command)[0], self.carom(command, "--help")[0])
        _, err = self.carom("help", "rum", code=2)
        self.assertEqual(err, "carom: error: unknown command 'rum' (did you mean 'run'?)\n")
        if shutil.which("bash"):
            self.assertEqual(self.complete("carom", "help", ""), sorted(set(commands) - {"help"}))

    def test_results_in_a_directory(self):
        (self.folder / "all/empty").mkdir(parents=True)
        self.carom("info", "all", code=2)
        self.carom("run", self.scene(end=1), "-o", "all/good")
        self.carom("run", self.scene(end=1, more="expect: {steps: 1}\n"), "-o", "all/bad", code=1)
        out, _ = self.carom("info", "all")
        bad, good = out.splitlines()
        self.assertRegex(bad, r"^all/bad +complete +error +\d\S+ +Two bars \(1 gate failed\)$")
        self.assertRegex(good, r"^all/good +complete +error +\d\S+ +Two bars$")
        self.assertEqual(self.carom("info", "all/")[0], out)

    def test_schema(self):
        self.assertIn("$schema", json.loads(self.carom("schema")[0]))

    def test_manual(self):
        self.assertIn("# ", self.carom("manual", "scene")[0])
        page, _ = self.carom("manual", "man")
        self.assertTrue(page.startswith(".TH CAROM 1"))
        for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "EXIT STATUS", "RESULT FILES"):
            self.assertIn(f".SH {section}\n", page)
        if shutil.which("man"):
            (self.folder / "carom.1").write_text(page)
            check = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", self.folder / "carom.1"],
                                   capture_output=True, text=True)
            self.assertEqual((check.returncode, check.stderr), (0, ""))

    def test_completion_is_a_script(self):
        for shell in ("bash", "zsh", "fish"):
            script, _ = self.carom("completion", shell)
            for word in ("--" if shell != "fish" else "-l", "resume", "no-output", "newmark-dcr", "verify"):
                self.assertIn(word, script)
            if shutil.which(shell):
                check = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True)
                self.assertEqual((check.returncode, check.stderr), (0, ""))

    def complete(self, *words):
        """What bash offers for the last of the words."""
        script, _ = self.carom("completion", "bash")
        line = " ".join(f"'{word}'" for word in words)
        script += f"\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _carom; printf '%s\\n' \"${{COMPREPLY[@]}}\"\n"
        shown = subprocess.run(["bash", "--norc"], input=script, capture_output=True, text=True, cwd=self.folder)
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        return sorted(shown.stdout.split())

    def test_bash_completes(self):
        (self.folder / "a.yaml").touch()
        (self.folder / "a.txt").touch()
        (self.folder / "adir").mkdir()
        self.assertEqual(self.complete("carom", "c"), ["check", "compare", "completion"])
        self.assertEqual(self.complete("carom", "run", "a"), ["a.yaml", "adir"])
        self.assertEqual(self.complete("carom", "run", "--re"), ["--report", "--resume"])
        self.assertEqual(self.complete("carom", "run", "-o", "a"), ["adir"])
        self.assertEqual(self.complete("carom", "info", "newm"), ["newmark-dcr"])
        self.assertEqual(self.complete("carom", "manual", ""), ["man", "scene", "words"])


class Verify(cli.CommandTest):
    def scenes(self):
        for name, gate in {"papers/one/good": "steps: 20", "verify/bad": 'steps: "> 100"', "gallery/other": "steps: 20"}.items():
            path = self.folder / "scenes" / f"{name}.yaml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.scene(end=1, more=f"expect: {{{gate}}}\n").read_text())
        (self.folder / "scenes/gallery/none.yaml").write_text(self.scene(end=1).read_text())
        (self.folder / "scene.yaml").unlink()

    def lines(self, out):
        return [line.split() for line in out.splitlines() if line.endswith(("PASS", "FAIL"))]

    def test_verify(self):
        self.scenes()
        out, _ = self.carom("verify", code=1)
        self.assertEqual([(l[0], l[-1]) for l in self.lines(out)], [("papers/one/good", "PASS"), ("verify/bad", "FAIL")])
        self.assertIn("2 scenes, 2 gates, 1 failed", out)
        self.assertEqual(out.splitlines()[0].split(), ["scene", "gate", "expected", "exact", "carom", "error", "pass"])
        out, _ = self.carom("verify", "good")
        self.assertIn("1 scene, 1 gate, 0 failed", out)
        out, _ = self.carom("verify", "--all", code=1)
        self.assertEqual([l[0] for l in self.lines(out)], ["papers/one/good", "verify/bad", "gallery/other"])
        self.assertIn("3 scenes, 3 gates, 1 failed", out)
        out, _ = self.carom("verify", "--scenes", self.folder / "scenes", "gallery/other", "papers/one")
        self.assertIn("2 scenes, 2 gates, 0 failed", out)
        # paths of folders and of scenes, also elsewhere
        for path, names in (("scenes/papers", ["papers/one/good"]), ("scenes/papers/", ["papers/one/good"]),
                            ("scenes/gallery/other.yaml", ["gallery/other"])):
            out, _ = self.carom("verify", path)
            self.assertEqual([l[0] for l in self.lines(out)], names)
        out, _ = self.carom("verify", "scenes/verify", "good", code=1)
        self.assertEqual([l[0] for l in self.lines(out)], ["verify/bad", "papers/one/good"])
        out, _ = self.carom("verify", "scenes/papers", "good")
        self.assertIn("1 scene, 1 gate, 0 failed", out)
        _, err = self.carom("verify", "good", "nowhere", code=2)
        self.assertEqual(err, "carom: error: no scene in scenes has 'nowhere' in its path\n")
        self.assertEqual([p.name for p in self.folder.iterdir()], ["scenes"])

    def test_columns_of_long_conditions(self):
        self.scenes()
        long = "-1.2500000000000002 .. 1.2499999999999998"
        (self.folder / "scenes/papers/long.yaml").write_text(
            self.scene(end=1, more=f'expect: {{steps: 20, tip.ux: "{long}", momentum_error: "< 1"}}\n').read_text())
        out, _ = self.carom("verify", "papers/long")
        lines = [line for line in out.splitlines() if line.endswith("PASS")]
        self.assertEqual(len(lines), 3)
        self.assertEqual({len(line) for line in lines}, {len(lines[0])})
        self.assertIn(long, out)

    def test_exact_values(self):
        self.scenes()
        gates = """expect:
  steps: {gate: "19 .. 21", exact: 20, source: "the end | over the step"}
  contact_events: {gate: "<= 8", published: 7, source: "a paper"}
  momentum_error: "< 1"
  tip.ux: {gate: "< 100", source: "it stays near"}
"""
        (self.folder / "scenes/papers/one/good_too.yaml").write_text(self.scene(end=1, more=gates).read_text())
        # the full name of a scene means that scene alone, a part of it all that contain it
        out, _ = self.carom("verify", "papers/one/good", "--plan")
        self.assertIn("1 scene, 1 gate, none run", out)
        out, _ = self.carom("verify", "one/good", "--plan")
        self.assertIn("2 scenes, 5 gates, none run", out)
        out, _ = self.carom("verify", "good_too")
        self.assertEqual([line[-4:] for line in self.lines(out) if "steps" in line], [["20", "20", "0", "PASS"]])
        self.assertEqual([line[-5:] for line in self.lines(out) if "contact_events" in line], [["7", "0", "100", "%", "PASS"]])

        # the document, with the table beside it
        out, err = self.carom("verify", "good_too", "--markdown")
        self.assertIn("PASS", err)
        self.assertIn("| `papers/one/good_too` | `steps` | 20 | 20 | 0 | `19 .. 21` | the end \\| over the step |\n", out)
        self.assertIn("| `papers/one/good_too` | `contact_events` | 7 | 0 | 100 % | `<= 8` | a paper |\n", out)
        self.assertRegex(out, r"`momentum_error` \| 0 \| \S+ \| `< 1` \| balance of momentum \|\n")
        self.assertRegex(out, r"`tip.ux` \| \S+ \| `< 100` \| it stays near \|\n")
        out, _ = self.carom("verify", "verify/bad", "--markdown", code=1)
        self.assertIn("| 20 **fails** |", out)

        # the same in the results of a run
        self.carom("run", "scenes/papers/one/good_too.yaml", "-o", "out", "-q")
        gates = {gate["name"]: gate for gate in json.loads((self.folder / "out/summary.json").read_text())["expect"]}
        self.assertEqual((gates["steps"]["exact"], gates["steps"]["source"]), (20, "the end | over the step"))
        self.assertEqual(gates["contact_events"]["published"], 7)
        self.assertEqual(gates["momentum_error"]["exact"], 0)
        self.assertEqual(set(gates["tip.ux"]), {"name", "condition", "value", "source", "passed"})
        out, _ = self.carom("info", "out")
        self.assertIn("19 .. 21, exact 20", out)
        self.assertIn("<= 8, published 7", out)
        out, _ = self.carom("run", "scenes/papers/one/good_too.yaml", "--dump")
        self.assertIn('steps: {gate: "19 .. 21", exact: 20, source: "the end | over the step"}', out)

    def test_broken_scene_fails(self):
        self.scenes()
        (self.folder / "scenes/papers/broken.yaml").write_text("title: 3\n")
        out, err = self.carom("verify", "papers", code=1)
        self.assertIn("ERROR", out)
        self.assertIn("broken.yaml", err)

    def test_no_scenes(self):
        _, err = self.carom("verify", "--scenes", "nowhere", code=2)
        self.assertEqual(err, "carom: error: no scenes found in nowhere (say where they are with --scenes DIR)\n")


if __name__ == "__main__":
    cli.main()
