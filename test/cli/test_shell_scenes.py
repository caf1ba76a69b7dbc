# SPDX-License-Identifier: MIT
"""Long scenes of shells, whole with larger steps or their beginnings: those of the paper on DCR against independent figures, and the tube."""
import csv
import os
from pathlib import Path
import cli

SCENES = Path(os.environ.get("CAROM_SOURCE", Path(__file__).parents[2])) / "scenes"
ENERGY = 611.95


class ShellScenes(cli.CommandTest):
    def run_scene(self, name, **settings):
        """Runs a scene with keys changed (a__b stands for a.b); returns its summary and the columns of its history."""
        out = self.folder / "out"
        quoted = {key: f'"{value}"' if key.startswith("expect__") else value for key, value in settings.items()}
        words = [word for key, value in quoted.items() for word in ("--set", f"{key.replace('__', '.')}={value}")]
        self.carom("run", SCENES / f"{name}.yaml", "-q", "-o", out, "--set", "output.fields.every=100", *words)
        with open(out / "history.csv", encoding="utf-8") as file:
            rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
        return cli.result(out), rows

    def spheres(self, offset=0, **settings):
        place = {"bodies[1]__place__translate": f"[1.05015, {offset}, 0]"}
        # the gates of the scene that hold for other steps, ends, offsets and frictions, and those that are given
        gates = {"intersections": "0", "numerical_events": "0", "momentum_error": "< 1e-13", "angular_momentum_error": "< 1e-12"}
        gates.update({key[len("expect__"):]: settings.pop(key) for key in list(settings) if key.startswith("expect__")})
        whole = ", ".join(f'{name}: "{gate}"' for name, gate in gates.items())
        return self.run_scene("papers/dcr/sphere_sphere", **place, expect=f"{{{whole}}}", **settings)

    def test_two_spheres_exchange_energy_as_in_independent_runs(self):
        summary, rows = self.spheres(time__step=2e-5, output__history__every=5, expect__energy_error="< 0.001")
        self.assertAlmostEqual(rows[0]["total"], ENERGY, delta=0.005)
        # the means of eight runs, and how far a run on the same meshes may be from them
        for time, kinetic in ((0.0025, 542.6), (0.005, 395.0), (0.010, 229.4), (0.015, 180.6), (0.020, 252.9), (0.025, 394.9),
                              (0.030, 460.6)):
            row = min(rows, key=lambda row: abs(row["time"] - time))
            self.assertAlmostEqual(row["time"], time, delta=1e-9)
            self.assertAlmostEqual(row["kinetic"], kinetic, delta=(0.015 if time < 0.0151 else 0.05) * ENERGY, msg=f"at {time}")
        # the energy about which leapfrog oscillates
        self.assertLess(abs(rows[-1]["total"] - rows[-1]["oscillation"] - ENERGY), 0.0002 * ENERGY)
        self.assertEqual(summary["intersections"], 0)

    def test_projection_takes_more_energy_than_it_gives(self):
        # moving nodes out of an overlap works with or against their forces, by amounts that are booked: a little is gained at first
        summary, rows = self.spheres(contact__resolve="projection", time__step=1e-5, time__end=0.012,
                                     expect__angular_momentum_error="< 1e-4", expect__contact_events="> 100",
                                     expect__energy_error="< 1e-4")
        self.assertLess(summary["energy_error"], 0.0005)
        for row in rows:
            self.assertAlmostEqual(row["total"], ENERGY, delta=0.005 * ENERGY)
            self.assertLess(row["total"], 1.001 * ENERGY)
        self.assertGreater(rows[-1]["projection"], 0)
        self.assertLess(rows[-1]["total"], rows[0]["total"])

    def test_friction_takes_energy_and_books_it(self):
        # each coefficient once and each offset twice; `make verify` has all pairs
        some = {0: (0.25, 1), 0.5: (0.5, 0.75)}
        for offset, coefficients in some.items():
            for friction in (0.25, 0.5, 0.75, 1) if cli.LONG else coefficients:
                with self.subTest(offset=offset, friction=friction):
                    summary, rows = self.spheres(offset, contact__friction=friction, time__step=2e-5, time__end=0.006,
                                                 expect__angular_momentum_error="< 1e-5", expect__energy_error="< 0.001",
                                                 expect__contact_events="> 50")
                    for before, after in zip(rows, rows[1:]):
                        self.assertGreaterEqual(after["friction"], before["friction"])
                    self.assertGreater(rows[-1]["friction"], 0.003 * ENERGY)
                    self.assertLess(rows[-1]["total"], rows[0]["total"] - 0.9 * rows[-1]["friction"])

    def test_sphere_and_plate_keep_momentum(self):
        summary, rows = self.run_scene("papers/dcr/sphere_plate", time__step=5e-7, time__end=2e-4, expect__contact_events="> 20")
        self.assertLess(summary["momentum_error"], 1e-12)
        self.assertAlmostEqual(rows[0]["total"], 0.18391, delta=5e-6)
        self.assertLess(rows[-1]["kinetic"], 0.95 * rows[0]["kinetic"])

    def test_seventysix_cubes_begin_to_meet(self):
        # the step is longer than that of the scene
        summary, rows = self.run_scene("papers/dcr/seventysix_cubes", time__step=5e-5, time__end=0.008,
                                       expect__contact_events="> 10", expect__energy_error="< 1e-5")
        self.assertLess(rows[-1]["kinetic"], 0.999 * rows[0]["kinetic"])
        self.assertEqual(summary["intersections"], 0)

    def test_tube_begins_to_fold(self):
        summary, rows = self.run_scene("gallery/crushed_tube", time__end=0.01, expect__contact_events="> 100")
        self.assertGreater(rows[-1]["internal"], 0)
        self.assertEqual(summary["intersections"], 0)

    def crash_tube(self, name, end, *options):
        """Runs the quarter of a crash tube for some time; returns its summary and the rows of its history and probe."""
        text = (SCENES / "verify/tubes/crash_quarter.yaml").read_text(encoding="utf-8").split("expect:")[0]
        text = text.replace("end: 0.0075", f"end: {end}").replace("quarter.obj", str(SCENES / "verify/tubes/quarter.obj"))
        scene, out = self.folder / f"{name}.yaml", self.folder / name
        scene.write_text(text + 'expect: {intersections: 0, numerical_events: 0, energy_error: "< 1e-4"}\n', encoding="utf-8")
        self.carom("run", scene, "-q", "-o", out, *options)
        tables = []
        for table in ("history.csv", "probes.csv"):
            with open(out / table, encoding="utf-8") as file:
                tables.append([{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)])
        return cli.result(out), *tables

    def test_crash_tube_folds_with_the_force_of_abramowicz_and_jones(self):
        summary, rows, probe = self.crash_tube("tube", 0.0031, "--threads", 1)
        start = rows[0]["kinetic"]
        self.assertAlmostEqual(start, 337.5, delta=0.01)
        # the first fold: energy over distance, four quarters, against 52.22 M0 (c/t)^(1/3)
        force = 4 * (start - rows[-1]["kinetic"]) / -probe[-1]["mass.uz"]
        classical = 52.22 * 3e8 * 0.0015 ** 2 / 4 * (0.05 / 0.0015) ** (1 / 3)
        self.assertAlmostEqual(force / classical, 1, delta=0.25)
        self.assertLess(probe[-1]["mass.uz"], -0.03)
        self.assertGreater(rows[-1]["plasticity"], 0.95 * (start - rows[-1]["kinetic"]))
        for before, after in zip(rows, rows[1:]):
            self.assertGreaterEqual(after["plasticity"], before["plasticity"])
        self.assertGreater(summary["contact_events"], 10000)

    def test_crash_tube_has_the_same_bits_on_threads(self):
        hashes = {self.crash_tube(f"threads{n}", 1e-4, "--threads", n)[0]["state_hash"] for n in (1, 2, 3)}
        self.assertEqual(len(hashes), 1)


if __name__ == "__main__":
    cli.main()
