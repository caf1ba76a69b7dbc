# SPDX-License-Identifier: MIT
"""carom run --profile: a table, a member of summary.json, and the same results."""
import cli


class Profile(cli.CommandTest):
    def test_table_and_summary(self):
        scene = self.scene()
        plain, _ = self.carom("run", scene, "-o", "plain")
        timed, _ = self.carom("run", scene, "-o", "timed", "--profile")
        self.assertNotIn("processor", plain)
        found, other = cli.result(self.folder / "timed"), cli.result(self.folder / "plain")
        phases = found.pop("profile")
        self.assertEqual(found.pop("threads_used"), found["threads"])
        # the program itself has some megabytes, and there are no other processes
        memory = found.pop("memory")
        self.assertGreater(memory[0], 1e6)
        self.assertEqual(memory[1], 0)
        self.assertRegex(timed, r"\n  memory: [0-9]+ MB\n")
        for name in ("setup", "elements", "rows", "output"):
            self.assertRegex(timed, rf"\n  {name} +[0-9.]+ +[0-9.]+ % +[0-9.]+ +[0-9]+ %\n")
            self.assertEqual(set(phases[name]), {"seconds", "processor_seconds", "efficiency"})
        self.assertNotIn("profile", other)
        for result in (found, other):
            del result["wall_seconds"]
        self.assertEqual(found, other)

    def test_phases_are_the_run(self):
        """Set-up comes before the time of the run, and the last files are closed after it. A busy machine may stop a run between
        two phases, but not every run."""
        parts = []
        for attempt in range(10):
            self.carom("run", self.scene(), "-o", "out", "--profile", "--quiet")
            found = cli.result(self.folder / "out")
            run = sum(phase["seconds"] for name, phase in found["profile"].items() if name != "setup")
            parts.append(run / found["wall_seconds"])
            if parts[-1] >= 0.9:
                break
        self.assertGreaterEqual(parts[-1], 0.9, parts)

    def test_quiet(self):
        out, _ = self.carom("run", self.scene(), "-o", "quiet", "--profile", "--quiet")
        self.assertEqual(out, "")
        self.assertIn("elements", cli.result(self.folder / "quiet")["profile"])


if __name__ == "__main__":
    cli.main()
