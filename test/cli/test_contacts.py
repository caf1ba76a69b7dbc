# SPDX-License-Identifier: MIT
"""Contacts of surfaces as the command tells them: contacts.csv, pairs.csv, the audit, what is said before and after a run."""
import csv
import math

import cli
from test_output_files import read_vtu

SCENE = """\
integrator: newmark-dcr
time: {end: 0.8, step: auto}
bodies:
  - name: low
    mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [2, 2, 2]}}
    element: hex8
    material: {st-venant-kirchhoff: {young: 100, poisson: 0.2, density: 1}}
  - name: high
    mesh: {box: {from: [0.1, 0.2, 1.01], to: [0.8, 0.9, 1.7], elements: [2, 2, 2]}}
    element: hex8
    material: {st-venant-kirchhoff: {young: 100, poisson: 0.2, density: 1}}
    velocity: [0.3, 0, -1]
contact:
  friction: 0.1
  planes: [{name: floor, point: [0, 0, -0.01], normal: [0, 0, 1]}]
output:
  history: {every: 3, bodies: true, pairs: true}
  fields: {every: 7}
  contacts: true
"""

FLAT = """\
integrator: newmark-dcr
time: {end: 1, step: auto}
bodies:
  - name: plate
    mesh: {rectangle: {from: [0, 0, 0], to: [1, 1, 0], columns: 4, rows: 4}}
    element: quad4
    material: {linear: {young: 100, poisson: 0.2, density: 1}}
  - name: strip
    mesh: {rectangle: {from: [1.05, 0.25, 0], to: [2, 0.5, 0], columns: 4, rows: 1}}
    element: quad4
    material: {linear: {young: 100, poisson: 0.2, density: 1}}
    velocity: [-1, 0, 0]
output: {contacts: true}
"""


RESTING = """\
integrator: newmark-dcr
time: {end: 0.1, step: auto}
gravity: [0, 0, -1]
bodies:
  - name: block
    mesh: {box: {from: [0, 0, 0], to: [1, 1, 0.5], elements: [2, 2, 1]}}
    element: hex8
    material: {st-venant-kirchhoff: {young: 100, poisson: 0.2, density: 1}}
contact: {friction: 0.5, planes: [{name: floor, normal: [0, 0, 1]}]}
output: {contacts: true, history: {every: 1, pairs: true}, fields: {every: 1}}
"""

# bodies that pass many of their lengths in a step
FAST = """\
integrator: newmark-dcr
time: {end: 0.4, step: 0.1, on_event: warn}
bodies:
  - name: wall
    mesh: {box: {from: [0, -1, -1], to: [0.5, 1, 1], elements: [1, 2, 2], cells: tet4}}
    element: tet4
    material: {linear: {young: 1, density: 1}}
  - name: shot0
    mesh: {box: {from: [-0.3, -0.2, -0.15], to: [0.3, 0.2, 0.15], elements: [1, 1, 1]}}
    place: {axis: [0.91, 0.90, 1], angle: 20, translate: [-2.0, -0.4, 0.3]}
    element: hex8
    material: {linear: {young: 0.05, density: 0.05}}
    velocity: [82, 0, 0]
  - name: shot1
    mesh: {box: {from: [-0.3, -0.2, -0.15], to: [0.3, 0.2, 0.15], elements: [1, 1, 1]}}
    place: {axis: [0.34, -0.38, 1], angle: 218, translate: [-3.5, 0.1, 0.1]}
    element: hex8
    material: {linear: {young: 0.05, density: 0.05}}
    velocity: [41, 0, 0]
  - name: shot2
    mesh: {box: {from: [-0.3, -0.2, -0.15], to: [0.3, 0.2, 0.15], elements: [1, 1, 1]}}
    place: {axis: [-0.14, -0.21, 1], angle: 260, translate: [-5.0, 0.5, 0.4]}
    element: hex8
    material: {linear: {young: 0.05, density: 0.05}}
    velocity: [68, 0, 0]
output: {fields: {every: 0}}
"""


def vector(row, name):
    return [float(row[f"{name}_{axis}"]) for axis in "xyz"]


class Contacts(cli.CommandTest):
    def file(self, text=SCENE):
        path = self.folder / "scene.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    def table(self, directory, name):
        with open(self.folder / directory / name, newline="", encoding="utf-8") as stream:
            return list(csv.DictReader(stream))

    def run_scene(self, directory, *changes, text=SCENE):
        sets = [word for change in changes for word in ("--set", change)]
        out, _ = self.carom("run", self.file(text), "-o", directory, *sets)
        return out, cli.result(self.folder / directory)

    def test_rows(self):
        _, summary = self.run_scene("out")
        rows = self.table("out", "contacts.csv")
        self.assertEqual(list(rows[0]), "time kind body_1 body_2 node_1 node_2 node_3 node_4 point_x point_y point_z normal_x normal_y"
                         " normal_z impulse_x impulse_y impulse_z state gap".split())
        self.assertEqual(len(rows), summary["contact_events"])
        self.assertEqual({r["kind"] for r in rows}, {"node-face", "edge-edge", "node-plane"})
        self.assertEqual({(r["body_1"], r["body_2"]) for r in rows}, {("low", "high"), ("low", "floor")})
        for row in rows:
            normal, impulse, point = (vector(row, name) for name in ("normal", "impulse", "point"))
            along = sum(n * j for n, j in zip(normal, impulse))
            across = math.sqrt(max(0, sum(j * j for j in impulse) - along ** 2))
            self.assertAlmostEqual(sum(n * n for n in normal), 1, delta=1e-12)
            self.assertGreater(along, 0)
            # inside the Coulomb cone, on it where it slips
            self.assertLessEqual(across, 0.1 * along * (1 + 1e-9))
            if row["state"] == "slip":
                self.assertAlmostEqual(across, 0.1 * along, delta=1e-9 * along)
            else:
                self.assertEqual(row["state"], "stick")
            plane = row["kind"] == "node-plane"
            self.assertEqual([row[f"node_{k}"] == "" for k in (1, 2, 3, 4)], [False, plane, plane, plane])
            # the floor pushes up, the upper body down
            self.assertGreater(normal[2] * (1 if plane else -1), 0.9)
            self.assertAlmostEqual(point[2], -0.01 if plane else 1, delta=1e-9 if plane else 0.1)
            self.assertLess(abs(float(row["gap"])), 0.02)
        times = [float(r["time"]) for r in rows]
        self.assertTrue(all(b >= a - 1e-9 for a, b in zip(times, times[1:])))

    def test_forces_and_impulses_are_the_change_of_momentum(self):
        # at a restitution above 0 kicks amend what impacts did: that is in the rows of those impacts
        for restitution in (0, 0.5, 1):
            with self.subTest(restitution=restitution):
                self.check_momentum(restitution)

    def check_momentum(self, restitution):
        _, summary = self.run_scene("out", f"contact.restitution={restitution}")
        rows, pairs, history = (self.table("out", f"{name}.csv") for name in ("contacts", "pairs", "history"))
        self.assertEqual(len(rows), summary["contact_events"])
        times = [float(r["time"]) for r in history]
        length = dict(zip(times[1:], (b - a for a, b in zip(times, times[1:]))))
        for axis in "xyz":
            given = {}
            for row in rows:
                key = row["body_1"], row["body_2"]
                given[key] = given.get(key, 0) + float(row[f"impulse_{axis}"])
            forces = {}
            for row in pairs:
                key = row["body_1"], row["body_2"]
                forces[key] = forces.get(key, 0) + float(row[f"force_{axis}"]) * length[float(row["time"])]
            for key, impulse in given.items():
                self.assertAlmostEqual(forces[key], impulse, delta=1e-12)
            change = {b: float(history[-1][f"{b}.p{axis}"]) - float(history[0][f"{b}.p{axis}"]) for b in ("low", "high")}
            # nothing else acts; the impulse is that on the first of the two
            self.assertAlmostEqual(change["high"], -given["low", "high"], delta=1e-12)
            self.assertAlmostEqual(change["low"], given["low", "high"] + given["low", "floor"], delta=1e-12)
        for pair in summary["pairs"]:
            mine = [r for r in pairs if [r["body_1"], r["body_2"]] == pair["bodies"]]
            self.assertEqual(sum(int(r["events"]) for r in mine), pair["events"])
            self.assertAlmostEqual(sum(float(r["normal"]) * length[float(r["time"])] for r in mine), pair["impulse"], delta=1e-12)

    def test_peak_forces(self):
        _, summary = self.run_scene("out", "output.history.every=1")
        pairs, window = self.table("out", "pairs.csv"), summary["force_window"]
        rows = round(window / summary["step_size"])
        self.assertAlmostEqual(rows * summary["step_size"], window, delta=1e-12)
        for pair in summary["pairs"]:
            mine = {float(r["time"]): float(r["normal"]) for r in pairs if [r["body_1"], r["body_2"]] == pair["bodies"]}
            # windows are counted in steps from the start of the run; rows are steps here
            forces = {}
            for time, force in mine.items():
                number = -(-round(time / summary["step_size"]) // rows)
                forces[number] = forces.get(number, 0) + force / rows
            peak = max(forces.values())
            self.assertAlmostEqual(pair["peak_force"], peak, delta=1e-9 * peak)
            self.assertAlmostEqual(forces[round(pair["peak_time"] / window)], peak, delta=1e-9 * peak)
            touched = sum(f > 0 for f in forces.values()) * window
            self.assertAlmostEqual(pair["contact_time"], touched, delta=window)
            self.assertEqual(pair["duration"], pair["last_contact"] - pair["first_contact"])
        self.assertEqual(summary["peak_force"], max(p["peak_force"] for p in summary["pairs"]))
        # neither the cadence of rows nor the absence of files changes them
        for overrides in (["output.history.every=7"], ["output.history.pairs=false", "output.history.every=auto"]):
            _, other = self.run_scene("other", *overrides)
            self.assertEqual(other["pairs"], summary["pairs"])
        # a window of one's own
        _, other = self.run_scene("wide", f"output.history.force_window={4.2 * window}")
        self.assertAlmostEqual(other["force_window"], round(4.2 * rows) * summary["step_size"], delta=1e-12)
        self.assertLess(other["peak_force"], summary["peak_force"])
        self.assertEqual(other["state_hash"], summary["state_hash"])

    def test_gates_of_pairs(self):
        _, summary = self.run_scene("out")
        pair = next(p for p in summary["pairs"] if p["bodies"] == ["low", "floor"])
        scene = self.folder / "gates.yaml"
        names = {"low-floor.peak_force": pair["peak_force"], "floor-low.impulse": pair["impulse"],
                 "low-floor.duration": pair["duration"], "low-floor.contact_time": pair["contact_time"],
                 "low-floor.events": pair["events"], "peak_force": summary["peak_force"], "high-floor.peak_force": 0}
        gates = "".join(f'  {name}: "{value!r}"\n' for name, value in names.items())
        scene.write_text(SCENE + "expect:\n" + gates)
        self.carom("run", scene, "-o", "gated")
        for verdict in cli.result(self.folder / "gated")["expect"]:
            self.assertTrue(verdict["passed"], verdict)
            self.assertEqual(verdict["value"], names[verdict["name"]])

    def test_fewer_pairs(self):
        self.run_scene("out", "output.history.pairs_most=1")
        self.assertEqual({(r["body_1"], r["body_2"]) for r in self.table("out", "pairs.csv")}, {("low", "high")})

    def frames(self, directory):
        """Time and fields of nodes of each frame; vectors as tuples."""
        for path in sorted((self.folder / directory / "fields").iterdir()):
            time, points, _, arrays = read_vtu(path)
            yield time, points, {name: values for (section, name), values in arrays.items() if section == "PointData"}

    def test_fields_of_nodes(self):
        for friction in (0.1, 0):
            self.run_scene("out", f"contact.friction={friction}")
            rows, seen = self.table("out", "contacts.csv"), set()
            before, last = 0, None
            for time, points, fields in self.frames("out"):
                touching, sliding = set(), set()
                for row in rows:
                    if (before < float(row["time"]) - 1e-12 or before == 0) and float(row["time"]) <= time + 1e-12:
                        nodes = {int(row[f"node_{k}"]) for k in (1, 2, 3, 4) if row[f"node_{k}"]}
                        touching |= nodes
                        sliding |= nodes if row["state"] != "stick" else set()
                for k in range(points):
                    state, force, impulse = (fields[name][k] for name in ("contact_state", "contact_force", "impulse"))
                    # force times time is what the sum of impulses has grown by
                    for i in range(3):
                        self.assertAlmostEqual(force[i] * (time - before), impulse[i] - (last[k][i] if last else 0), delta=1e-14)
                    self.assertEqual(state > 0, any(force) and time > 0)
                    if state:
                        self.assertIn(k, touching)
                        self.assertEqual(state, 2 if k in sliding else 1)
                    seen.add(state)
                before, last = time, fields["impulse"]
            self.assertEqual(seen, {0, 1, 2} if friction else {0, 2})

    def test_first_half_kick_is_reported(self):
        _, summary = self.run_scene("out", text=RESTING)
        rows = self.table("out", "contacts.csv")
        first = [row for row in rows if float(row["time"]) == 0]
        # nine nodes on the floor carry half of a step of the weight
        self.assertEqual(len(first), 9)
        self.assertAlmostEqual(sum(float(row["impulse_z"]) for row in first), 0.25 * 0.5 * summary["step_size"], delta=1e-14)
        self.assertEqual(len(rows), summary["contact_events"])
        self.run_scene("some", "output.contacts={every: 4}", text=RESTING)
        self.assertEqual(self.table("some", "contacts.csv")[:9], first)

    def test_hold_stops_the_run_if_asked(self):
        out, summary = self.run_scene("warn", text=FAST)
        self.assertGreater(summary["events"]["contact_held"], 0)
        self.assertEqual(summary["intersections"], 0)
        self.assertIn("Numerical events: contact_held", out)
        _, err = self.carom("run", self.file(FAST), "-o", "stop", "--set", "contact.on_hold=stop", code=3)
        self.assertRegex(err, r"an endless cascade of impacts had to be held at time \S+ \(step \d+; contact.on_hold: stop\)")
        stopped = cli.result(self.folder / "stop")
        self.assertFalse(stopped["completed"])
        self.assertLess(stopped["steps"], summary["steps"])

    def test_projection_may_be_paid_for(self):
        """Two bars head-on, e = 1: the impulse pays for its projection, so that contact handling costs less."""
        text = """\
integrator: newmark-dcr
time: {end: 30, step: auto, safety: 0.5}
bodies:
  - name: left
    mesh: {box: {from: [-10.0005, 0, 0], to: [-0.0005, 1, 1], elements: [10, 2, 2]}}
    element: hex8
    material: {linear: {young: 1, density: 1}}
    velocity: [0.1, 0, 0]
  - name: right
    mesh: {box: {from: [0.0005, 0, 0], to: [10.0005, 1, 1], elements: [10, 2, 2]}}
    element: hex8
    material: {linear: {young: 1, density: 1}}
    velocity: [-0.1, 0, 0]
contact: {resolve: projection, restitution: 1}
"""
        costs = []
        for pays in ("false", "true"):
            _, summary = self.run_scene(pays, f"contact.return_work={pays}", text=text)
            self.assertLess(summary["momentum_error"], 1e-13)
            self.assertLess(summary["energy_error"], 0.01)
            self.assertEqual(summary["ledger"]["last"]["restitution"], 0)
            costs.append(summary["ledger"]["last"]["projection"] / summary["ledger"]["first"]["total"])
        self.assertLess(abs(costs[1]), abs(costs[0]))

    def test_same_bits_with_and_without(self):
        _, loud = self.run_scene("loud")
        _, quiet = self.run_scene("quiet", "output.contacts=false", "output.history.pairs=false")
        self.assertEqual(loud["state_hash"], quiet["state_hash"])
        for name in ("contacts.csv", "pairs.csv"):
            self.assertTrue((self.folder / "loud" / name).exists())
            self.assertFalse((self.folder / "quiet" / name).exists())
        for name in ("history.csv", "fields.pvd"):
            self.assertEqual((self.folder / "loud" / name).read_bytes(), (self.folder / "quiet" / name).read_bytes())

    def test_every(self):
        _, summary = self.run_scene("all")
        self.run_scene("some", "output.contacts={every: 4}")
        step = summary["step_size"]

        # what happens in a drift belongs to the step that ends with it, its first instant too, the time of the kick before it
        def steps(row):
            time = float(row["time"]) / step
            return {math.ceil(time - 1e-9)} | ({round(time) + 1} if abs(time - round(time)) < 1e-9 else set())

        every = self.table("all", "contacts.csv")
        some = self.table("some", "contacts.csv")
        self.assertEqual([r for r in every if r in some], some)
        self.assertTrue(all(any(n % 4 == 0 for n in steps(r)) for r in some))
        self.assertEqual([r for r in every if all(n % 4 == 0 for n in steps(r))], [r for r in some if len(steps(r)) == 1])
        self.assertGreater(len(some), 5)

    def test_resumed_run_has_the_same_files(self):
        # the first part ends with a row, a frame and a checkpoint of the whole
        rhythm = ("time.step=0.0125", "output.checkpoint.every=13", "output.fields.every=13")
        _, whole = self.run_scene("whole", *rhythm)
        self.run_scene("cut", *rhythm, "time.end=0.4875")
        self.carom("run", self.file(), "-o", "cut", "--resume", *(word for change in rhythm for word in ("--set", change)))
        cut = cli.result(self.folder / "cut")
        for name in ("contacts.csv", "pairs.csv", "history.csv"):
            self.assertEqual((self.folder / "cut" / name).read_bytes(), (self.folder / "whole" / name).read_bytes(), name)
        for name in ("state_hash", "audits", "intersections", "minimum_distance", "pairs"):
            self.assertEqual(cut[name], whole[name], name)

    def test_foreign_file_is_left_alone(self):
        (self.folder / "out").mkdir()
        (self.folder / "out/contacts.csv").write_text("name,phone\n", encoding="utf-8")
        _, err = self.carom("run", self.file(), "-o", "out", code=2)
        self.assertIn("contacts.csv exists and was not written by carom", err)

    def test_audit(self):
        out, summary = self.run_scene("out")
        frames = (self.folder / "out/fields.pvd").read_text(encoding="utf-8").count("<DataSet")
        self.assertEqual(summary["audits"], frames)
        self.assertEqual(summary["intersections"], 0)
        # bodies meet at the layer, 1e-4 of the shortest side, and start 0.01 apart
        self.assertLess(summary["minimum_distance"], 0.35e-4 * 1.01)
        self.assertGreater(summary["minimum_distance"], 0)
        self.assertIn(f"Surfaces, checked {frames} times: 0 intersections, smallest distance between bodies", out)
        bare, _ = self.carom("run", self.file(), "--no-output")
        line = next(l for l in out.splitlines() if l.startswith("Surfaces"))
        self.assertIn(line, bare)

    def test_gates(self):
        gates = 'expect={intersections: 0, minimum_distance: "1e-6 .. 1e-4"}'
        self.run_scene("out", gates)
        sets = ["--set", "expect={minimum_distance: '> 1e-4'}"]
        out, _ = self.carom("run", self.file(), "-o", "out", *sets, code=1)
        self.assertIn("FAIL minimum_distance", out)

    def test_bodies_that_pass_are_not_checked(self):
        _, summary = self.run_scene("out", "contact.pairs=[{bodies: [low, high], touch: false}]")
        self.assertEqual((summary["intersections"], summary["minimum_distance"], summary["contact_events"]), (0, None, 0))
        self.assertGreater(summary["audits"], 1)

    def test_head_and_check(self):
        out, _ = self.run_scene("out")
        self.assertEqual(out.splitlines()[2], "contact: surfaces of 2 bodies with 96 faces, 1 plane")
        out, _ = self.carom("check", self.file())
        self.assertIn("scene.yaml: ok (96 faces can touch, steps may be divided)\n", out)
        out, _ = self.carom("check", self.file(FLAT))
        self.assertIn("scene.yaml: ok (26 segments can touch)\n", out)

    def test_plane_bodies(self):
        out, summary = self.run_scene("out", text=FLAT)
        self.assertEqual(out.splitlines()[2], "contact: surfaces of 2 bodies with 26 segments")
        rows = self.table("out", "contacts.csv")
        self.assertEqual({(r["kind"], r["state"], r["node_4"]) for r in rows}, {("node-segment", "none", "")})
        self.assertEqual(len(rows), summary["contact_events"])
        self.assertEqual(summary["intersections"], 0)


if __name__ == "__main__":
    cli.main()
