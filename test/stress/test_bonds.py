#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The judge finds faults that are planted in rigid bodies, joints, springs, ties, obstacles, rows, and twins."""
import copy
import json
import os
import pathlib
import random
import sys
import tempfile
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from stress import bonds, case, energies, frames, held, judge, laws, outcomes, reduction, repeats, trial, twins  # noqa: E402
from stress.vectors import minus, norm, plus, rotation, times, turn  # noqa: E402

CAROM = pathlib.Path(os.environ.get("CAROM", "build/carom")).resolve()
RUBBER = {"c10": 3e5, "c01": 1e5, "bulk": 1e7, "density": 1000}

# A tied block of two rubbers and a prism fall on a driven table; an arm swings on a hinge, with a spring; a metal spins
# until it flows. No friction.
SCENE = {
    "title": "planted", "integrator": "newmark-dcr", "time": {"end": 0.02}, "gravity": [0, 0, -9.81],
    "bodies": [
        {"name": "table", "mesh": {"box": {"from": [-2, -2, -1], "to": [2, 2, -0.5], "elements": [1, 1, 1]}},
         "obstacle": {"velocity": [0, 0, 1], "ramp": 0.01, "turn": {"rate": 2, "axis": [0, 0, 1], "history": [[0, 1], [0.01, -1]]}}},
        {"name": "low", "mesh": {"box": {"from": [-0.5, -0.5, -0.49], "to": [0.5, 0.5, 0], "elements": [2, 2, 1]}}, "element": "hex8",
         "material": {"mooney-rivlin": RUBBER}, "velocity": [0, 0, -2],
         "materials": [{"in_box": {"low": [-1, -1, -1], "high": [0, 1, 1]}, "material": {"mooney-rivlin": {**RUBBER, "density": 500}}}]},
        {"name": "high", "mesh": {"box": {"from": [-0.5, -0.5, 0], "to": [0.5, 0.5, 0.4], "elements": [3, 1, 1], "cells": "tet4"}},
         "element": "tet4", "material": {"gent": {"shear": 8e5, "limit": 30, "bulk": 1e7, "density": 900}}, "velocity": [0, 0, -2]},
        {"name": "prism", "mesh": {"file": {"path": "prisms_1_1.vtk"}}, "place": {"scale": [0.4, 0.4, 0.4], "translate": [1, 1, -0.29]},
         "element": "wedge6", "material": {"ogden": {"terms": [[4e5, 1.5], [-1e4, -2]], "bulk": 5e6, "density": 1000}},
         "velocity": [0, 0, -3]},
        {"name": "arm", "mesh": {"box": {"from": [3, -0.1, -0.1], "to": [4, 0.1, 0.1], "elements": [1, 1, 1]}},
         "element": {"rigid": {"density": 1000}}, "spin": [0, 5, 0]},
        {"name": "metal", "mesh": {"box": {"from": [5, 0, 0], "to": [6, 0.5, 0.5], "elements": [2, 1, 1]}},
         "element": {"hex8": {"integration": "one-point"}}, "spin": [0, 0, 60],
         "material": {"j2": {"young": 1e8, "poisson": 0.3, "density": 2000, "yield": 1e5, "modulus": 1e6}}}],
    "tied": [{"from": {"body": "high", "set": "zmin"}, "to": {"body": "low", "set": "zmax"}}],
    "joints": [{"kind": "hinge", "body": "arm", "at": [3, 0, 0], "axis": [0, 1, 0]}],
    "springs": [{"from": {"body": "arm", "point": [4, 0.1, 0.1]}, "to": {"point": [4, 0.1, 1]}, "stiffness": 1e5, "length": 0.5}],
    "contact": {"restitution": 0.5}}


class PlantedFaults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(prefix="carom-stress-")
        cls.folder = pathlib.Path(cls.place.name)
        path = cls.folder / "scene.json"
        trial.write_scene(case.with_output(SCENE, 60), path)
        ending = trial.run(CAROM, path, cls.folder, output=cls.folder / "out")
        assert ending.code == 0, ending.errors
        cls.summary = json.loads((cls.folder / "out" / "summary.json").read_text(encoding="utf-8"))

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def setUp(self):
        self.frames = frames.read_frames(self.folder / "out")
        self.rows = frames.read_table(self.folder / "out" / "history.csv")
        self.last = self.frames[-1]
        names = [body["name"] for body in SCENE["bodies"]]
        self.body = {name: [k for k, b in enumerate(self.last.body) if b == number] for number, name in enumerate(names)}

    def kinds(self, scene=None):
        return {kind for kind, _ in judge.Judge(scene or SCENE, self.frames, self.rows, self.summary).judge().faults}

    def move(self, name, by):
        for k in self.body[name]:
            self.last.x[k] = plus(self.last.x[k], by)

    def with_change(self, change):
        scene = copy.deepcopy(SCENE)
        change({body["name"]: body for body in scene["bodies"]}, scene)
        return self.kinds(scene)

    def test_sound_results_have_no_fault(self):
        self.assertGreater(len(self.frames), 5)
        self.assertEqual(self.kinds(), set())
        self.assertGreater(self.rows[-1]["plasticity"], 0)
        self.assertGreater(self.summary["contact_events"], 0)

    def test_rigid_body_changes_its_shape(self):
        k = self.body["arm"][0]
        self.last.x[k] = plus(self.last.x[k], (0, 0, 1e-2))
        self.assertIn("shape", self.kinds())

    def test_node_does_not_move_with_the_rigid_body(self):
        k = max(self.body["arm"], key=lambda k: norm(self.last.v[k]))
        self.last.v[k] = times(1.2, self.last.v[k])
        self.assertIn("shape", self.kinds())

    def test_rotation_of_a_rigid_body(self):
        self.rows[-1]["arm.wy"] *= 1.05
        self.assertIn("ledger", self.kinds())

    def test_mass_of_a_rigid_body(self):
        self.assertIn("mass", self.with_change(lambda bodies, _: bodies["arm"]["element"]["rigid"].update(density=1001)))

    def test_joint_is_open(self):
        self.move("arm", (1e-6, 0, 0))
        self.assertIn("joint", self.kinds())

    def test_axis_of_a_joint_turns(self):
        self.rows[-1]["arm.rx"] += 1e-6
        self.assertIn("joint", self.kinds())

    def test_stiffness_and_length_of_a_spring(self):
        self.assertIn("ledger", self.with_change(lambda _, scene: scene["springs"][0].update(stiffness=1.01e5)))
        self.assertIn("ledger", self.with_change(lambda _, scene: scene["springs"][0].update(length=0.51)))

    def test_restraint_is_not_kept(self):
        def held_by(item):
            return lambda _, scene: scene.update(restraints=[{"body": "metal", "fix": "z", **item}])

        self.assertIn("restraint", self.with_change(held_by({"set": "xmin", "velocity": [0, 0, 1]})))
        self.assertIn("restraint", self.with_change(held_by({"velocity": [0, 0, 1], "until": 0.5})))
        self.assertNotIn("restraint", self.with_change(held_by({"velocity": [0, 0, 1], "from": 0.5})))

    def test_tip_of_bar_may_be_pressed_along_the_bar_only(self):
        body = types.SimpleNamespace(element="bar", cells=[(3, (0, 1)), (3, (1, 2))])
        tips = held.virtual_tips([body], [(0, 0, 0), (4, 0, 0), (8, 0, 0)])
        self.assertEqual(tips, {0: (1, 0, 0), 2: (-1, 0, 0)})
        for fix, wrong in (("x", 0), ("y", 1)):
            frame = types.SimpleNamespace(time=0, x={2: (7.5, 0.5, 0)})
            found = held.faults({"fix": fix}, types.SimpleNamespace(name="bar"), [2], {2: (8, 0, 0)}, frame, 1, 0, tips)
            self.assertEqual(len(found), wrong)

    def test_tie_is_open(self):
        self.move("high", (0, 0, 1e-6))
        self.assertIn("tie", self.kinds())

    def bend_tie(self):
        """Two nodes leave their face. Returns how far, and how far they may."""
        feet = [k for k in self.body["high"] if abs(self.frames[0].x[k][2]) < 1e-9]
        for sign, k in zip((1, -1), sorted(feet, key=lambda k: self.frames[0].x[k][0])[:2]):
            self.last.x[k] = plus(self.last.x[k], (0, 0, 0.8 * sign))
        tie = judge.Judge(SCENE, self.frames, self.rows, self.summary).ties[0]
        return tie.gap(self.last.x)[1], tie.largest_bend(self.last.x)

    def test_node_far_off_its_tie(self):
        self.assertGreater(*self.bend_tie())
        self.assertIn("tie", self.kinds())

    def test_faces_of_a_tie_that_are_drawn_out_bend_farther(self):
        for k in self.body["high"] + self.body["low"]:
            self.last.x[k] = times(10, self.last.x[k])
        self.assertLess(*self.bend_tie())

    def test_obstacle_is_elsewhere(self):
        self.move("table", (0, 1e-6, 0))
        self.assertIn("obstacle", self.kinds())
        self.setUp()
        self.assertIn("obstacle", self.with_change(lambda bodies, _: bodies["table"]["obstacle"].update(ramp=0.011)))
        self.assertIn("obstacle", self.with_change(lambda bodies, _: bodies["table"]["obstacle"]["turn"].update(rate=2.001)))

    def test_rubbers_and_parts(self):
        def softer(bodies, _):
            bodies["low"]["material"]["mooney-rivlin"] = {**RUBBER, "c01": 2e5}

        self.assertIn("ledger", self.with_change(softer))
        self.assertIn("ledger", self.with_change(lambda bodies, _: bodies["high"]["material"]["gent"].update(limit=3)))
        self.assertIn("ledger", self.with_change(lambda bodies, _: bodies["prism"]["material"]["ogden"].update(bulk=6e6)))
        self.assertIn("mass", self.with_change(lambda bodies, _: bodies["low"].pop("materials")))

    def test_plasticity_that_is_not_booked(self):
        for row in self.rows:
            row["residual"] -= row["plasticity"]
            row["plasticity"] = 0.0
        self.assertIn("residual", self.kinds())

    def test_loss_that_returns(self):
        taken = 0.5 * self.rows[-1]["restitution"]
        self.rows[-1]["restitution"] -= taken
        self.rows[-1]["residual"] -= taken
        self.assertIn("loss", self.kinds())

    def test_loss_below_zero(self):
        row = self.rows[1]
        row["friction"], row["residual"] = -1.0, row["residual"] - 1.0
        self.assertIn("loss", self.kinds())

    def test_row_that_is_not_its_sum(self):
        self.rows[3]["residual"] += 1e-9 * max(row["kinetic"] for row in self.rows)
        self.assertIn("sums", self.kinds())


class Connections(unittest.TestCase):
    """Two blocks that fly from each other, held by a pin at a corner, stretch there to more than twice their size."""

    SCENE = {
        "title": "pinned", "integrator": "newmark-dcr", "time": {"end": 0.4},
        "bodies": [
            {"name": name, "mesh": {"box": {"from": low, "to": high, "elements": [2, 2, 1], "cells": cells}}, "element": cells,
             "material": {"neo-hookean": {"young": 1e4, "poisson": 0.3, "density": 1000}}, "velocity": velocity}
            for name, low, high, cells, velocity in (("low", [0, 0, -0.3], [1, 1, 0], "hex8", [0, 0, -3]),
                                                     ("high", [0, 0, 0.1], [1, 1, 0.4], "tet4", [0, 0, 4]))],
        "connections": [{"from": {"body": "low", "point": [1, 1, 0]}, "to": {"body": "high", "point": [1, 1, 0.1]}}],
        "contact": {"restitution": 1}}

    def test_pin_is_open(self):
        with tempfile.TemporaryDirectory(prefix="carom-stress-") as place:
            folder = pathlib.Path(place)
            trial.write_scene(case.with_output(self.SCENE, 60), folder / "scene.json")
            self.assertEqual(trial.run(CAROM, folder / "scene.json", folder, output=folder / "out").code, 0)
            shown = frames.read_frames(folder / "out")
            rows = frames.read_table(folder / "out" / "history.csv")

            def kinds():
                return {kind for kind, _ in judge.Judge(self.SCENE, shown, rows, {"step_size": 1e-3}).judge().faults}

            self.assertEqual(kinds(), set())
            ends = [min(range(len(shown[0].x)), key=lambda k, z=z: norm(minus(shown[0].x[k], (1, 1, z)))) for z in (0, 0.1)]
            self.assertGreater(max(norm(minus(*(frame.x[k] for k in ends))) for frame in shown), 0.25)
            shown[-1].x[ends[1]] = plus(shown[-1].x[ends[1]], (0, 0, 1e-6))
            self.assertIn("tie", kinds())

    def test_what_contact_may_open(self):
        """An impulse separates a node of a tie from the others until the end of the step."""
        self.assertEqual(bonds.opening({0: 0.5, 1: -1.0, 2: 0.5}, [0.0, 3.0, 0.0], [1.0, 2.0, 1.0], 0.1), 0.1 * 3.0 / 2.0)


class Cells(unittest.TestCase):
    def test_momentum_that_load_cells_received(self):
        scene = copy.deepcopy(SCENE)
        scene["bodies"] = [body for body in scene["bodies"] if body["name"] in ("table", "prism")]
        for key in ("tied", "joints", "springs"):
            del scene[key]
        scene["contact"]["restitution"] = 0
        with tempfile.TemporaryDirectory(prefix="carom-stress-") as place:
            folder = pathlib.Path(place)
            trial.write_scene(case.with_output(scene, 100), folder / "scene.json")
            ending = trial.run(CAROM, folder / "scene.json", folder, output=folder / "out")
            self.assertEqual(ending.code, 0, ending.errors)
            rows, shots = frames.read_table(folder / "out" / "history.csv"), frames.read_frames(folder / "out")
        self.assertGreater(max(row["table.force_z"] for row in rows) - min(row["table.force_z"] for row in rows), 0)
        self.assertEqual(judge.Judge(scene, shots, rows).judge().faults, [])
        for row in rows:
            row["table.force_z"] *= 1.001
        self.assertIn("momentum", {kind for kind, _ in judge.Judge(scene, shots, rows).judge().faults})


class Formulas(unittest.TestCase):
    def test_small_strains_of_all_laws(self):
        """Every law of the moduli K and G has the energy K/2 tr^2 + G dev:dev."""
        bulk, shear = 7.0, 2.0
        young, poisson = 9 * bulk * shear / (3 * bulk + shear), (3 * bulk - 2 * shear) / (6 * bulk + 2 * shear)
        params = {"mooney-rivlin": {"c10": 0.7, "c01": 0.3}, "yeoh": {"c1": 1.0, "c2": -0.1, "c3": 0.1}, "gent": {"shear": 2.0, "limit": 9.0},
                  "ogden": {"terms": [[2.0, 1.5], [-0.5, -2.0]]}}
        h = 1e-4
        e = ((h, h / 2, 0.0), (h / 2, -h / 3, h / 4), (0.0, h / 4, 2 * h))
        f = [tuple((i == j) + e[i][j] for i in range(3)) for j in range(3)]
        trace = sum(e[i][i] for i in range(3))
        square = sum((e[i][j] - (i == j) * trace / 3) ** 2 for i in range(3) for j in range(3))
        for name in laws.ELASTIC:
            material = {**params.get(name, {"young": young, "poisson": poisson}), "bulk": bulk}
            self.assertAlmostEqual(laws.density_of_energy(name, material, f) / (bulk / 2 * trace**2 + shear * square), 1, places=2, msg=name)

    def test_no_stress_across_a_sheet(self):
        params = {"young": 3, "poisson": 0.3, "c10": 0.3, "c01": 0.2, "bulk": 5, "c1": 0.5, "c2": -0.01, "c3": 0.002, "shear": 1, "limit": 30,
                  "terms": [[0.7, 1.3], [-0.1, -2]]}
        for name in laws.ELASTIC[1:]:
            z = laws.thin(name, params, [(1.1, 0.2), (0.05, 0.9)])
            low, high = (laws.density_of_energy(name, params, [(1.1, 0.2, 0), (0.05, 0.9, 0), (0, 0, s)]) for s in (z - 1e-4, z + 1e-4))
            self.assertAlmostEqual(high - low, 0, places=9, msg=name)

    def test_prism(self):
        corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 2), (1, 0, 2), (0, 1, 2)]
        entry = {"name": "p", "element": "wedge6", "material": {"st-venant-kirchhoff": {"young": 3, "poisson": 0.25, "density": 2}}}
        body = energies.Body(0, entry, [(energies.WEDGE, tuple(range(6)))])
        masses = body.masses(corners)
        self.assertAlmostEqual(sum(masses.values()), 2)
        self.assertAlmostEqual(masses[1], 1 / 3)
        la, mu = laws.lame({"young": 3, "poisson": 0.25})
        stretched = [(p[0], p[1], 1.2 * p[2]) for p in corners]
        self.assertAlmostEqual(body.energy(corners, stretched), (la / 2 + mu) * 0.22**2)

    def test_motion_of_an_obstacle(self):
        rate = {"rate": 2.0, "axis": (0, 0, 1), "point": (1, 0, 0), "history": [[1, 1], [2, 0]]}
        place = bonds.obstacle_place({"velocity": (0, 3, 0), "ramp": 2.0, "turn": rate}, (2, 0, 0), (0, 0, 0), 3.0)
        # half of the ramp, then one unit; one turn of 2 x (1 + 1/2)
        expected = plus((0, 3 * 2.0, 0), plus((1, 0, 0), turn(rotation((0, 0, 1), 3.0), (1, 0, 0))))
        self.assertLess(norm(plus(place, times(-1, expected))), 1e-14)
        path = {"path": [[0, 0, 0, 0], [1, 2, 0, 0], [3, 2, 4, 0]]}
        self.assertEqual(bonds.displacement(path, 2.0), (2, 2, 0))
        self.assertEqual(bonds.displacement(path, 9.0), (2, 4, 0))
        self.assertEqual(bonds.displacement({"velocities": [[0, 0, 0, 0], [2, 2, 0, 0]]}, 3.0), (4, 0, 0))


class Twins(unittest.TestCase):
    def test_rows_that_differ(self):
        rows = [{"time": t, "kinetic": 2.0, "internal": 1.0, "external": 0.0, "contacts": t > 2, "px": 1.0, "py": 0.0, "pz": 0.0}
                for t in range(4)]
        scene = {"integrator": "newmark-dcr"}
        other = copy.deepcopy(rows)
        self.assertIsNone(twins.difference("turned", scene, rows, other))
        other[3]["internal"] = 5.0  # after the first contact
        self.assertIsNone(twins.difference("turned", scene, rows, other))
        other[1]["internal"] += 1e-6
        self.assertIn("internal", twins.difference("turned", scene, rows, other))
        self.assertIn("internal", twins.difference("moving", scene, rows, other))
        factors = twins.Other(2.0, 4.0, 8.0)
        other = [{**row, **{name: row[name] * factors.energy for name in ("kinetic", "internal", "external")},
                  "px": row["px"] * factors.momentum, "time": row["time"] * 8} for row in rows]
        self.assertIsNone(twins.difference("units", scene, rows, other, factors))
        other[3]["internal"] *= 1 + 1e-8
        self.assertIn("internal", twins.difference("units", scene, rows, other, factors))

    def test_rounding_is_all_there_is_of_a_scene_at_rest(self):
        """The potential of a weight on a hinge along gravity is rounding; its turned twin has another one, and no more."""
        scene = {"title": "weight on a hinge", "integrator": "newmark-dcr", "time": {"end": 0.2, "step": 0.002}, "gravity": [-65, 47, -318],
                 "bodies": [{"name": "weight", "mesh": {"box": {"from": [0.3, 0.2, 1], "to": [1, 1.1, 1.7], "elements": [1, 1, 1]}},
                             "element": {"rigid": {"density": 300}}}],
                 "joints": [{"kind": "hinge", "body": "weight", "at": [0.1, 0.3, 2], "axis": [-65, 47, -318]}], "contact": False}
        for seed in range(3):
            self.assertEqual(case.verdict_on(CAROM, scene, how=("turned", seed)).faults, [])
        rows = [{"time": t, "kinetic": 0.0, "internal": 0.0, "external": t * 1e-12, "contacts": 0} for t in range(3)]
        other = [{**row, "external": -row["external"]} for row in rows]
        self.assertIsNone(twins.difference("turned", scene, rows, other, noise=2e-12))
        self.assertIn("external", twins.difference("turned", scene, rows, other, noise=0.9e-12))

    def test_units_turns_and_mirrors_leave_nothing_out(self):
        """A scene with every kind of number agrees with its twins to the end; numbers left out would make another scene."""
        with tempfile.TemporaryDirectory(prefix="carom-stress-") as place:
            folder, ends = pathlib.Path(place), []
            factors = twins.Other(4.0, 0.5, 8.0)
            for name, scene in (("out", SCENE), ("units", factors.scene(SCENE))):
                trial.write_scene(case.with_output(scene, 60), folder / "scene.json")
                ends.append(trial.run(CAROM, folder / "scene.json", folder, output=folder / name))
                self.assertEqual(ends[-1].code, 0, ends[-1].errors)
            rows = [frames.read_table(folder / name / "history.csv") for name in ("out", "units")]
            self.assertIsNone(twins.difference("units", SCENE, *rows, factors))
            twin = copy.deepcopy(SCENE)
            twin["bodies"][1].pop("materials")
            for name, scene in (("out", twin), ("turned", twins.turned(twin, random.Random(1)))):
                trial.write_scene(case.with_output(scene, 60), folder / "scene.json")
                self.assertEqual(trial.run(CAROM, folder / "scene.json", folder, output=folder / name).code, 0)
            rows = [frames.read_table(folder / name / "history.csv") for name in ("out", "turned")]
            self.assertIsNone(twins.difference("turned", twin, *rows))

    def test_a_twin_makes_the_same_attempt(self):
        """Of a run that starts again with half the step there are rows of the last attempt only."""
        box, thin = ({"box": {"from": low, "to": high, "elements": [2, 2, 1], "cells": "tet4"}} for low, high in (
            ([-0.8, -0.7, -0.75], [0.8, 0.7, 0.75]), ([-1.2, -1, 0.95], [1.2, 1, 1.03])))
        rubber = {"neo-hookean": {"young": 9, "poisson": 0.2, "density": 1}}
        scene = {"integrator": "newmark-dcr", "time": {"end": 1, "safety": 0.75, "energy_error": 1e-4}, "bodies": [
            {"name": "block", "mesh": box, "element": "tet4", "material": rubber, "velocity": [0, 0, 0.2]},
            {"name": "sheet", "mesh": thin, "element": "tet4", "material": rubber, "velocity": [0.3, 0, -0.8]}]}
        with tempfile.TemporaryDirectory(prefix="carom-stress-") as place:
            folder, steps = pathlib.Path(place), []
            for name in ("whole", "twin"):
                trial.write_scene(case.with_output(scene, 100), folder / "scene.json")
                trial.run(CAROM, folder / "scene.json", folder, output=folder / name)
                steps.append(case.number_of(folder / name, "step_size"))
                earlier = case.number_of(folder / name, "retries")
                self.assertEqual(earlier > 0, name == "whole")
                twins.hold_attempt(scene, earlier)
            self.assertEqual(*steps)

    def test_later_attempts_halve_the_steps_of_elements(self):
        for integrator, beta in (("asynchronous", 0.0625), ({"asynchronous": {"beta": 1, "classes": 4}}, 0.25)):
            scene = {"integrator": integrator, "time": {"end": 1, "safety": 0.8}}
            twins.hold_attempt(scene, 2)
            self.assertEqual(scene["integrator"]["asynchronous"]["beta"], beta)
            self.assertEqual(scene["time"], {"end": 1, "safety": 0.2, "retries": 0})
        scene = {"integrator": "newmark-dcr", "time": {"end": 1}}
        twins.hold_attempt(scene, 1)
        self.assertEqual(scene["integrator"], "newmark-dcr")

    def test_frames_and_mirrors_only_where_they_mean_the_same(self):
        self.assertIsNone(twins.moving(SCENE, random.Random(1)))
        self.assertIsNone(twins.turned(SCENE, random.Random(1)))
        self.assertIsNone(twins.mirrored(SCENE, random.Random(1)))


class Repeats(unittest.TestCase):
    def test_files_that_differ(self):
        with tempfile.TemporaryDirectory() as place:
            ours, theirs = pathlib.Path(place) / "a", pathlib.Path(place) / "b"
            for folder in (ours, theirs):
                (folder / "fields").mkdir(parents=True)
                (folder / "history.csv").write_text("time\n0\n", encoding="utf-8")
                (folder / "fields" / "frame_0.vtu").write_text("x", encoding="utf-8")
            self.assertIsNone(repeats.files_differ(ours, theirs))
            (theirs / "fields" / "frame_1.vtu").write_text("x", encoding="utf-8")
            self.assertEqual(repeats.files_differ(ours, theirs), "fields/frame_1.vtu")
            (theirs / "history.csv").write_text("time\n1\n", encoding="utf-8")
            self.assertEqual(repeats.files_differ(ours, theirs), "history.csv")

    def test_process_that_has_ended_may_be_killed(self):
        """A process that ends by itself in the moment in which it is to be killed keeps its status."""
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            trial.write_scene({**SCENE, "time": {"end": 1e-9}}, folder / "scene.json")
            for _ in range(20):
                self.assertIn(trial.run(CAROM, folder / "scene.json", folder, until=lambda: True).code, (0, -9))

    def test_a_body_is_left_out_with_what_holds_it(self):
        names = [body["name"] for body in SCENE["bodies"]]
        self.assertFalse({"joints", "springs"} & set(reduction.without_body(SCENE, names.index("arm"))))
        self.assertNotIn("tied", reduction.without_body(SCENE, names.index("low")))
        self.assertIn("tied", reduction.without_body(SCENE, names.index("prism")))

    def test_causes(self):
        self.assertEqual(outcomes.cause_of("stopped", "carom: error: element 1 of body 'b' is inside out"), "stopped: element inside out")
        self.assertEqual(outcomes.cause_of("refused", "error: x does not support rigid bodies"), "refused: method lacks it")
        self.assertIsNone(outcomes.cause_of("ran", ""))


if __name__ == "__main__":
    unittest.main()
