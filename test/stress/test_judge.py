#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The judge finds faults that are planted in sound results, and energies and predicates agree with closed forms."""
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from stress import capabilities, case, energies, frames, judge, laws, scenes, skins, trial  # noqa: E402
from stress.vectors import cross, dot, minus  # noqa: E402

CAROM = pathlib.Path(os.environ.get("CAROM", "build/carom")).resolve()

# A ball on a brick on a floor, a point beside them: all at once by the method that never lets anything intersect.
SCENE = {
    "title": "planted", "integrator": "newmark-dcr", "time": {"end": 0.03}, "gravity": [0, 0, -9.81],
    "bodies": [
        {"name": "brick", "mesh": {"box": {"from": [-0.5, -0.5, 0.01], "to": [0.5, 0.5, 0.5], "elements": [2, 2, 1]}}, "element": "hex8",
         "material": {"neo-hookean": {"young": 1e6, "poisson": 0.3, "density": 1000}}, "velocity": [0, 0, -2]},
        {"name": "ball", "mesh": {"ball": {"radius": 0.3, "divisions": 1, "layers": 1, "cells": "tet4"}}, "element": "tet4",
         "material": {"st-venant-kirchhoff": {"young": 1e6, "poisson": 0.2, "density": 1000}}, "place": {"translate": [0, 0, 0.72]},
         "velocity": [0, 0, -8]},
        {"name": "point", "mesh": {"point": {"at": [0.4, 0.4, 0.6]}}, "element": {"point-mass": {"mass": 1}}, "velocity": [0, 0, -9]}],
    "contact": {"restitution": 0.5, "planes": [{"name": "floor", "normal": [0, 0, 1]}]}}


class PlantedFaults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(prefix="carom-stress-")
        folder = pathlib.Path(cls.place.name)
        path = folder / "scene.json"
        trial.write_scene(case.with_output(SCENE, 40), path)
        ending = trial.run(CAROM, path, folder, output=folder / "out")
        assert ending.code == 0, ending.errors
        cls.folder = folder / "out"

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def setUp(self):
        self.frames = frames.read_frames(self.folder)
        self.rows = frames.read_table(self.folder / "history.csv")
        self.last = self.frames[-1]
        self.body = [[k for k, b in enumerate(self.last.body) if b == number] for number in range(3)]

    def kinds(self, scene=None, summary=None):
        return {kind for kind, _ in judge.Judge(scene or SCENE, self.frames, self.rows, summary).judge().faults}

    def move(self, k, by):
        self.last.x[k] = tuple(a + b for a, b in zip(self.last.x[k], by))

    def test_sound_results_have_no_fault(self):
        self.assertGreater(len(self.frames), 5)
        self.assertEqual(self.kinds(), set())

    def test_energy_that_is_unexplained_under_way(self):
        """For 80 of 400 steps no two audits need to see it, for 240 they do."""
        count = len(self.frames) - 1
        for part, faulty in ((0.2, False), (0.6, True)):
            self.setUp()
            last = self.frames[round((0.2 + part) * count)].time
            for row in self.rows:
                if self.frames[round(0.2 * count)].time <= row["time"] <= last:
                    lost = 0.5 * self.rows[0]["total"]
                    row["restitution"] += lost
                    row["residual"] += lost
            self.assertEqual("way" in self.kinds(summary={"step_size": self.last.time / 400}), faulty)

    def test_node_through_a_face(self):
        lowest = min(self.body[1], key=lambda k: self.last.x[k][2])
        self.move(lowest, (0.01, 0.01, -0.15))
        self.assertLessEqual({"intersection", "passed"}, self.kinds())

    def test_intersection_of_any_depth(self):
        top = max(self.last.x[k][2] for k in self.body[0])
        lowest = min(self.body[1], key=lambda k: self.last.x[k][2])
        self.move(lowest, (0, 0, top - self.last.x[lowest][2] - 1e-12))
        # the top is not level: only the crossing of an edge with a face counts
        found = self.kinds()
        self.assertTrue("intersection" in found or self.last.x[lowest][2] > top - 1e-3, found)

    def test_point_inside_a_brick(self):
        self.last.x[self.body[2][0]] = tuple(sum(self.last.x[k][i] for k in self.body[0]) / len(self.body[0]) + 1e-3 for i in range(3))
        self.assertIn("passed", self.kinds())

    def test_plane_crossed(self):
        self.move(min(self.body[0], key=lambda k: self.last.x[k][2]), (0, 0, -0.01))
        self.assertIn("plane", self.kinds())

    def test_velocities_scaled(self):
        self.last.v[:] = [tuple(1.02 * c for c in v) for v in self.last.v]
        self.assertLessEqual({"ledger"}, self.kinds())
        self.last.v[:] = [tuple(2 * c for c in v) for v in self.last.v]
        self.assertLessEqual({"ledger", "residual"}, self.kinds())

    def test_momentum_across_the_plane(self):
        total = sum(self.last.nodes["mass"][k] for k in self.body[0])
        for k in self.body[0]:
            v = self.last.v[k]
            self.last.v[k] = (v[0] + 1e-6 / total, v[1], v[2])
        self.assertIn("momentum", self.kinds())

    def test_mass_and_stiffness(self):
        heavier = json.loads(json.dumps(SCENE))
        heavier["bodies"][0]["material"]["neo-hookean"]["density"] = 1001
        self.assertIn("mass", self.kinds(heavier))
        stiffer = json.loads(json.dumps(SCENE))
        stiffer["bodies"][1]["material"]["st-venant-kirchhoff"]["young"] = 1.01e6
        self.assertIn("ledger", self.kinds(stiffer))

    def test_loss_that_is_not_booked(self):
        for row in self.rows:
            row["restitution"] = 0.0
        self.assertIn("residual", self.kinds())

    def test_numbers_that_are_not_finite(self):
        self.last.v[0] = (math.nan, 0, 0)
        self.assertEqual(self.kinds(), {"not finite"})


class Predicates(unittest.TestCase):
    def test_signs_are_exact(self):
        chance = random.Random(7)
        for _ in range(2000):
            a, b, c = [tuple(chance.uniform(-1, 1) for _ in range(3)) for _ in range(3)]
            s, t = chance.random(), chance.random()
            # on the plane of abc up to rounding
            d = tuple(a[i] + s * (b[i] - a[i]) + t * (c[i] - a[i]) for i in range(3))
            p = [tuple(map(Fraction, q)) for q in (a, b, c, d)]
            exact = dot(cross(minus(p[1], p[0]), minus(p[2], p[0])), minus(p[3], p[0]))
            self.assertEqual(skins.sign_of_volume(a, b, c, d), (exact > 0) - (exact < 0))

    def test_solid_angles(self):
        x = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, -1, -1)]
        triangles = [(0, 1, 2), (0, 2, 3), (2, 1, 3), (1, 0, 3)]
        self.assertAlmostEqual(abs(skins.solid_angle((0, 0, 0), triangles, x)), 4 * math.pi)
        self.assertAlmostEqual(skins.solid_angle((1, 1, 1), triangles, x), 0)

    def test_energy_of_a_stretched_cube(self):
        entry = {"name": "cube", "element": "hex8", "material": {"st-venant-kirchhoff": {"young": 3, "poisson": 0.25, "density": 2}}}
        x = [tuple((c + 1) / 2 for c in corner) for corner in energies.CUBE]
        body = energies.Body(0, entry, [(energies.HEX, tuple(range(8)))])
        stretched = [(1.2 * p[0], p[1], p[2]) for p in x]
        green, la, mu = (1.2**2 - 1) / 2, *laws.lame({"young": 3, "poisson": 0.25})
        self.assertAlmostEqual(body.energy(x, stretched), (la / 2 + mu) * green**2)
        self.assertAlmostEqual(sum(body.masses(x).values()), 2)


class Generator(unittest.TestCase):
    def test_capabilities_are_those_of_the_program(self):
        for method, lacks in capabilities.LACKS.items():
            text = subprocess.run([CAROM, "info", method], capture_output=True, text=True, check=True).stdout
            told = {line.strip() for line in text.partition("it lacks:\n")[2].splitlines()}
            self.assertEqual(told, {need if condition is None else f"{need}, with {condition}" for need, condition in lacks.items()}, method)

    def test_worlds_are_those_of_their_methods(self):
        for world, need in capabilities.WORLDS_NEED.items():
            for method in scenes.WORLDS[world][1]:
                self.assertTrue(capabilities.ever_has(method, need), (world, method))

    def test_seeds_give_all_there_is(self):
        methods, elements, laws_found, keys, hardenings = set(), set(), set(), set(), set()
        for seed in range(600):
            scene = scenes.random_scene(seed)
            if seed < 100:
                self.assertEqual(json.dumps(scene), json.dumps(scenes.random_scene(seed)))
            methods.add(energies.one_key(scene["integrator"])[0])
            keys |= set(scene)
            for body in scene["bodies"]:
                keys |= set(body)
                elements |= {energies.one_key(body["element"])[0]} if "element" in body else {"obstacle"}
                if "material" in body:
                    law, params = energies.one_key(body["material"])
                    laws_found.add(law)
                    hardenings |= {params.get("hardening", "linear")} if law == "j2" else set()
            keys |= {key for item in scene.get("restraints", []) for key in item}
            keys |= {"friction that falls"} if isinstance((scene["contact"] or {}).get("friction"), dict) else set()
            keys |= {"long"} if scene["time"]["end"] > 9e4 * scene["time"].get("step", math.inf) else set()
        self.assertEqual(len(methods), 5)
        self.assertEqual(elements, {"point-mass", "bar", "exact-beam", "tri3", "quad4", "tet4", "hex8", "wedge6", "nodal", "loop-shell",
                                    "rigid", "obstacle"})
        self.assertEqual(laws_found, {*laws.ELASTIC, "j2", "viscoelastic"})
        self.assertEqual(hardenings, {"linear", "voce", "johnson-cook", "table", "swift"})
        self.assertLessEqual({"tied", "connections", "joints", "springs", "materials", "until", "from", "friction that falls", "long"}, keys)


if __name__ == "__main__":
    unittest.main()
