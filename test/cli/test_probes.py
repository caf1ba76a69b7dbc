#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Probes of acceleration, force, stress and strain, and their filters."""
import csv
import unittest

import cli

SCENE = """\
integrator: newmark-dcr
time: {end: 3.0e-3}
bodies:
  - name: part
    mesh: {box: {from: [0, 0, 0], to: [0.1, 0.1, 0.1], elements: [3, 3, 3], cells: tet4}}
    element: tet4
    material: {neo-hookean: {young: 2.0e9, poisson: 0.3, density: 1200}}
    velocity: [0, 0, -5]
    place: {translate: [0, 0, 0.001]}
contact: {planes: [{name: floor, point: [0, 0, 0], normal: [0, 0, 1]}]}
output:
  history: {every: 3}
  fields: {every: 60}
  probes:
    - {name: all, body: part, record: [velocity, acceleration, force, stress, strain], filter: cfc-1000}
    - {name: low, body: part, nearest: {to: [0, 0, 0]}, record: [force, stress], filter: cfc-600}
"""


class Probes(cli.CommandTest):
    def table(self, path):
        with open(self.folder / path, newline="", encoding="utf-8") as stream:
            return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(stream)]

    def run_scene(self, directory, *more, text=SCENE, code=0):
        path = self.folder / "scene.yaml"
        path.write_text(text, encoding="utf-8")
        return self.carom("run", path, "-o", directory, "-q", *more, code=code)

    def test_means(self):
        self.run_scene("out")
        rows = self.table("out/probes.csv")
        mass, push = 1.2, 0
        for last, row in zip(rows, rows[1:]):
            passed = row["time"] - last["time"]
            push += row["all.fz"] * passed
            # nothing but contact acts on the whole body
            self.assertAlmostEqual(row["all.az"] * passed, row["all.vz"] - last["all.vz"], delta=1e-9)
            self.assertGreaterEqual(row["all.von_mises"], 0)
            self.assertGreaterEqual(row["all.e1"], row["all.e3"])
        impulse = cli.result(self.folder / "out")["pairs"][0]["impulse"]
        self.assertAlmostEqual(push, impulse, delta=1e-9 * impulse)
        self.assertAlmostEqual(mass * (rows[-1]["all.vz"] - rows[0]["all.vz"]), impulse, delta=1e-9 * impulse)
        self.assertLess(min(r["all.szz"] for r in rows), -1e5)

    def test_filtered(self):
        self.run_scene("out", "--set", "time.end=2e-2")
        rows, samples = self.table("out/probes_filtered.csv"), self.table("out/probes_samples.csv")
        self.assertEqual(len(rows), len(samples) - 1)
        step = samples[1]["time"] - samples[0]["time"]
        self.assertAlmostEqual(rows[0]["time"], 0.5 * step, delta=1e-12)
        peak = max(r["all.f"] for r in rows)
        # The force on the body is its mass times its acceleration. Velocities are those in the middle of a kick, so impulses are
        # up to half a sample ahead: of a signal below 2000 Hz that is at most 2 pi 2000 / 2 of its size for each second.
        for row in rows:
            self.assertAlmostEqual(row["all.fz"], 1.2 * row["all.az"], delta=6300 * step * peak)
            self.assertAlmostEqual(row["all.f"], abs(row["all.fz"]), delta=1e-6 * peak)
        # a push of 0.16 ms through a filter of 1650 Hz: lower than it was, and spread
        self.assertLess(peak, cli.result(self.folder / "out")["peak_force"])
        self.assertGreater(peak, 1e4)

    def test_largest_filtered_values(self):
        gates = 'expect: {all.max_filtered_acceleration: "> 1e4", low.max_filtered_force: "> 1e9"}\n'
        _, err = self.run_scene("out", text=SCENE + gates, code=1)
        self.assertIn("expected low.max_filtered_force > 1e9, found ", err)
        result, rows = cli.result(self.folder / "out"), self.table("out/probes_filtered.csv")
        wanted = (("all.max_filtered_acceleration", "all.a"), ("all.max_filtered_force", "all.f"), ("low.max_filtered_force", "low.f"))
        self.assertEqual([peak["name"] for peak in result["filtered"]], [name for name, _ in wanted])
        for peak, (_, column) in zip(result["filtered"], wanted):
            most = max(rows, key=lambda row: row[column])
            self.assertEqual((peak["value"], peak["time"]), (most[column], most["time"]))
        values = [peak["value"] for peak in result["filtered"]]
        self.assertEqual([(gate["value"], gate["passed"]) for gate in result["expect"]], [(values[0], True), (values[2], False)])
        # the same bits without files, on other threads, and resumed
        _, other = self.run_scene("out2", "--no-output", text=SCENE + gates, code=1)
        self.assertEqual(other, err)
        self.assertFalse((self.folder / "out2").exists())
        self.run_scene("part", "--threads", "2", "--set", "time.end=1.5e-3", "--set", "output.checkpoint.every=100",
                       "--set", f"time.step={result['step_size']!r}")
        self.run_scene("part", "--resume", "--set", "output.checkpoint.every=100", "--set", f"time.step={result['step_size']!r}")
        self.assertEqual(cli.result(self.folder / "part")["filtered"], result["filtered"])
        # a probe without a filter, or one that does not record it, has none
        for name in ("low.max_filtered_acceleration", "all.max_filtered_speed"):
            _, err = self.run_scene("out", text=SCENE + f'expect: {{{name}: "> 1"}}\n', code=2)
            self.assertIn(f"unknown result '{name}'", err)

    def test_seconds_of_the_units(self):
        def peaks(text, scale, *more):
            self.run_scene("out", *more, text=text)
            return [scale * peak["value"] for peak in cli.result(self.folder / "out")["filtered"]]

        # m, kg, s: a second is 1, with units and without
        wanted = peaks(SCENE, 1)
        self.assertEqual(peaks("units: {length: m, mass: kg, time: s}\n" + SCENE, 1), wanted)
        # the same fall in milliseconds and microseconds: accelerations and forces are 1e6 and 1e12 times smaller numbers
        for unit, second in (("ms", 1e3), ("us", 1e6)):
            text = f"units: {{length: m, mass: kg, time: {unit}}}\n" + SCENE.replace("end: 3.0e-3", f"end: {3e-3 * second}")
            text = text.replace("young: 2.0e9", f"young: {2e9 / second**2}").replace("[0, 0, -5]", f"[0, 0, {-5 / second}]")
            for value, other in zip(wanted, peaks(text, second**2), strict=True):
                self.assertAlmostEqual(other, value, delta=1e-6 * value)
            # given it is the same; so it is in a unit that carom does not know
            auto = peaks(text, 1)
            given = text.replace("filter: cfc-1000", f"filter: cfc-1000, second: {second}")
            given = given.replace("filter: cfc-600", f"filter: cfc-600, second: {second}")
            self.assertEqual(peaks(given, 1), auto)
            self.assertEqual(peaks(given.replace(f"time: {unit}}}", "time: jiffy}"), 1), auto)

    def test_the_same_bytes(self):
        self.run_scene("out", "--set", "output.checkpoint.every=250")
        names = ("probes.csv", "probes_samples.csv", "probes_filtered.csv", "pairs.csv", "history.csv")
        whole = {name: (self.folder / "out" / name).read_bytes() for name in names}
        # from the last checkpoint again
        self.run_scene("out", "--set", "output.checkpoint.every=250", "--resume")
        for name in names:
            self.assertEqual((self.folder / "out" / name).read_bytes(), whole[name], name)
        # rows and frames change no sample
        self.run_scene("other", "--set", "output.history.every=7", "--set", "output.fields.every=0", "--threads", "2")
        for name in ("probes_samples.csv", "probes_filtered.csv"):
            self.assertEqual((self.folder / "other" / name).read_bytes(), whole[name], name)

    def test_nodal(self):
        """Where strains are averaged around nodes, a probe has the stress of the node: in a uniform strain that of bricks."""
        pulled = """\
integrator: newmark-dcr
time: {end: 0.1}
bodies:
  - name: part
    mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [1, 1, 1]%s}}
    element: %s
    material: {neo-hookean: {young: 2, poisson: 0.3, density: 1}}
restraints:
  - {body: part, set: xmin, fix: xyz}
  - {body: part, set: xmax, fix: xyz, velocity: [1, 0, 0]}
contact: false
output:
  fields: {every: 1}
  probes:
    - {name: all, body: part, record: [stress, strain]}
    - {name: one, body: part, nearest: {to: [1, 1, 1]}, record: [stress]}
"""
        last = {}
        for name, cells, element in (("bricks", "", "hex8"), ("nodal", "", "nodal"), ("tetrahedra", ", cells: tet4", "nodal")):
            self.run_scene(name, text=pulled % (cells, element))
            last[name] = self.table(f"{name}/probes.csv")[-1]
        self.assertGreater(last["bricks"]["one.sxx"], 0.2)
        for name in ("nodal", "tetrahedra"):
            for column, value in last["bricks"].items():
                self.assertAlmostEqual(last[name][column], value, delta=1e-9, msg=f"{name} {column}")

    def test_refusals(self):
        _, err = self.run_scene("out", text=SCENE.replace("filter: cfc-1000", "filter: cfc-1000, second: 1e-3"), code=2)
        self.assertIn("'all' cannot be filtered by cfc-1000: the time step", err)
        _, err = self.run_scene("out", text=SCENE.replace("[force, stress]", "[velocity]"), code=2)
        self.assertIn("only `acceleration` and `force` are filtered", err)
        point = SCENE.replace("bodies:\n", "bodies:\n  - {name: ball, mesh: {point: {at: [0, 0, 5]}}, element: {point-mass: {mass: 1}}}\n")
        _, err = self.run_scene("out", text=point.replace("name: low, body: part,", "name: low, body: ball,"), code=2)
        self.assertIn("stress and strain are recorded at nodes of solids only", err)


if __name__ == "__main__":
    unittest.main()
