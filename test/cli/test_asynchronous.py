# SPDX-License-Identifier: MIT
"""Blocks by `asynchronous`: those of Wolff & Bucher that slide and roll, at the gates of the examples; loads in time and driven
bodies; same bits by threads, restarts and output; a block with a fine insert beside newmark-dcr at two steps."""
import bisect
import csv
import json
import math
import os
import random
from pathlib import Path

import cli
import page

SCENES = Path(__file__).resolve().parents[2] / "scenes"
PAPER = SCENES / "papers/asynchronous"

# A press: two blocks that do not match, the lower one on a floor of nodes that move, the upper one under a pressure that grows; friction.
PRESS = """\
integrator: {asynchronous: {contact: CONTACT, classes: CLASSES}}
time: {end: 1.5, step: auto}
gravity: [0, 0, -1]
bodies:
  - name: lower
    mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [2, 2, 3], grading: [1, 1, 2], blend: [0, 0, 0.5], refine: to}}
    element: hex8
    material: {st-venant-kirchhoff: {young: 100, poisson: 0.3, density: 1}}
  - name: upper
    mesh: {box: {from: [0.1, 0.1, 1.001], to: [0.9, 0.8, 1.9], elements: [2, 2, 2], cells: tet4}}
    element: tet4
    material: {neo-hookean: {young: 50, poisson: 0.2, density: 2}}
    velocity: [0, 0, -0.3]
restraints:
  - {body: lower, set: zmin, fix: xyz, velocity: [0.2, 0, 0.1], history: [[0, 0], [0.5, 1], [1, -1]]}
loads:
  - {body: upper, set: zmax, pressure: 1, ramp: 0.5}
contact: {restitution: RESTITUTION, friction: 0.3}
"""


def first(times, values, condition):
    return next(t for t, value in zip(times, values) if condition(value))


class Papers(cli.SceneTest):
    OPTIONS = ("--threads", 1)

    def test_sliding_block(self):
        """Goes 1 and stops at 2, which is the rigid block: v^2 / (2 mu g) and v / (mu g). No held node moves in any bit."""
        held = ", ".join(f"{{name: n{k}, body: obstacle, node: {k}, record: [displacement, velocity]}}" for k in range(72))
        summary, rows = self.by(PAPER / "sliding_block.yaml", "out",
                                f"output.probes=[{{name: bottom, body: block, set: zmin}}, {{name: block, body: block}}, {held}]",
                                "expect={intersections: 0, numerical_events: 0}")
        self.assertAlmostEqual(rows["bottom.ux"][-1], 1, delta=0.02)
        # the mass centre comes to a stop; the foot then rocks on by some hundredths of the speed
        self.assertAlmostEqual(first(rows["time"], rows["block.vx"], lambda v: v <= 0), 2, delta=0.06)
        self.assertLess(max(abs(v) for t, v in zip(rows["time"], rows["bottom.vx"]) if t > 2.25), 0.05)
        self.assertLess(max(map(abs, rows["residual"])), 0.02 * rows["kinetic"][0])
        for k in range(72):
            for name in ("ux", "uy", "uz", "vx", "vy", "vz"):
                self.assertTrue(all(value == 0 for value in rows[f"n{k}.{name}"]), f"n{k}.{name}")
        self.assertEqual(summary["intersections"], 0)

    def test_no_edge_catches_the_sliding_block(self):
        """Nodes of the obstacle go by below the front of the block: none of them stops it, at no step of either method."""
        ways = []
        for method in ("asynchronous.beta=0.25", "asynchronous.beta=0.1", "newmark-dcr", "newmark-dcr.25", "newmark-dcr.1"):
            name, _, value = method.partition(".")
            settings = [f"integrator.{method}"] if "=" in value else ["integrator=newmark-dcr", f"time.safety=0.{value or 5}"]
            _, rows = self.by(PAPER / "sliding_block.yaml", "out", *settings, "output.contacts=true", "output.fields.every=0",
                              "expect={numerical_events: 0}")
            with open(self.folder / "out/contacts.csv", encoding="utf-8") as file:
                self.assertLess(max(abs(float(row["normal_x"])) for row in csv.DictReader(file)), 0.3, method)
            ways.append(max(rows["bottom.ux"]))
        self.assertLess(max(ways) - min(ways), 2e-3)

    def test_rolling_block(self):
        """Tips and rolls: what was in front looks down, then back, and at last the top lies on the obstacle's side."""
        summary, rows = self.by(PAPER / "rolling_block.yaml", "out",
                                "output.probes=[{name: front, body: block, set: xmax}, {name: back, body: block, set: xmin}, "
                                "{name: top, body: block, set: zmax}, {name: foot, body: block, set: zmin}]")
        self.assertLess(max(map(abs, rows["residual"])), 0.03 * rows["kinetic"][0])
        angle = [math.degrees(math.atan2(b - f, fx - bx)) for f, b, fx, bx in
                 zip(rows["front.z"], rows["back.z"], rows["front.x"], rows["back.x"])]
        self.assertAlmostEqual(angle[0], 0, delta=1e-9)
        self.assertGreater(angle[-1], 100)
        self.assertLess(rows["front.z"][-1], 0.3)
        self.assertEqual(summary["intersections"], 0)


class Books(cli.CommandTest):
    def press(self, contact="exact", classes=8, restitution=0):
        path = self.folder / f"press_{contact}_{classes}.yaml"
        path.write_text(PRESS.replace("CONTACT", contact).replace("CLASSES", str(classes)).replace("RESTITUTION",
                                                                                                   str(restitution)))
        return path

    def blocks(self, integrator, more=""):
        """Two blocks that do not match meet at 0.6; steps of looks are some 0.01."""
        material = "element: hex8, material: {st-venant-kirchhoff: {young: 100, poisson: 0.3, density: 1}}"
        path = self.folder / "blocks.yaml"
        path.write_text(f"integrator: {integrator}\ntime: {{end: 1, step: auto}}\nbodies:\n"
                        f"  - {{name: lower, mesh: {{box: {{from: [0, 0, 0], to: [1, 1, 1], elements: [2, 2, 2]}}}}, {material}, velocity: [0, 0, 0.3]}}\n"
                        f"  - {{name: upper, mesh: {{box: {{from: [0.13, 0.17, 1.05], to: [1.13, 1.17, 2.05], elements: [3, 3, 3]}}}}, {material}, "
                        f"velocity: [0, 0, -0.3]}}\n{more}contact: {{restitution: 1, friction: 0.2}}\noutput: {{fields: {{every: 1}}}}\n")
        return path

    def run_it(self, directory, *arguments):
        self.carom("run", "--threads", 1, *arguments, "-q", "-o", directory)
        summary = cli.result(self.folder / directory)
        for name in ("wall_seconds", "threads", "scene"):
            summary.pop(name)
        return summary

    def test_loads_and_drives_close_the_books(self):
        """A pressure that grows, gravity, a driven floor and friction: what newmark-dcr books, asynchronous books."""
        scene = self.press()
        own = self.run_it("own", scene)
        other = self.run_it("other", scene, "--set", "integrator=newmark-dcr", "--set", "time.safety=0.25")
        self.assertGreater(own["kicks"]["load"], 0)
        scale = own["scales"]["energy"]
        self.assertLess(own["energy_error"], 0.005)
        self.assertLess(own["momentum_error"], 1e-12)
        for column in ("kinetic", "internal", "external", "friction", "restitution"):
            self.assertAlmostEqual(own["ledger"]["last"][column], other["ledger"]["last"][column], delta=0.005 * scale)

    def test_coming_near_costs_no_energy(self):
        """A block hangs and swings, and its foot comes near a held plate and grazes it, time and again: its elements come to the clock and go."""
        path = self.folder / "near.yaml"
        path.write_text("""\
integrator: asynchronous
time: {end: 30, step: auto}
gravity: [0, 0, -2]
bodies:
  - name: block
    mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [2, 2, 2]}}
    element: hex8
    material: {st-venant-kirchhoff: {young: 20, poisson: 0.3, density: 1}}
  - name: plate
    mesh: {box: {from: [0.1, 0.1, -0.186], to: [0.9, 0.9, -0.086], elements: [3, 3, 1]}}
    element: hex8
    material: {st-venant-kirchhoff: {young: 500, poisson: 0.3, density: 2}}
contact: {restitution: 1}
output: {fields: {every: 0}}
restraints:
  - {body: block, set: zmax, fix: xyz}
  - {body: plate, fix: xyz}
""")
        summary = self.run_it("near", path)
        self.assertGreater(summary["contact_events"], 0)
        self.assertEqual(summary["kicks"]["contact"], summary["contact_events"])
        self.assertLess(summary["energy_error"], 0.01)

    def test_point_on_a_floor(self):
        """A point falls on a floor and slides to its stop: nothing in the scene has a length. v^2 / (2 mu g) and the flight before."""
        path = self.folder / "point.yaml"
        for restitution in (0, 0.5, 1):
            path.write_text("integrator: asynchronous\ntime: {end: 3, step: 0.01}\ngravity: [0, 0, -1]\nbodies:\n"
                            "  - {name: p, mesh: {point: {at: [0, 0, 0.001]}}, element: {point-mass: {mass: 1}}, velocity: [1, 0, 0]}\n"
                            f"contact: {{restitution: {restitution}, friction: 0.5, planes: [{{name: floor, normal: [0, 0, 1]}}]}}\n"
                            "output: {fields: {every: 0}, probes: [{name: p, body: p}]}\n")
            self.run_it("point", path)
            self.assertAlmostEqual(page.csv(self.folder / "point/probes.csv")["p.ux"][-1], 1, delta=2e-3)

    def test_a_large_element_does_not_make_the_window(self):
        """Nearly all elements are small: the run has steps of theirs, not one of the large one."""
        scene = self.blocks("asynchronous", "  - {name: coarse, mesh: {box: {from: [10, 0, 0], to: [40, 30, 30], elements: [1, 1, 1]}}, element: hex8, "
                            "material: {st-venant-kirchhoff: {young: 1, poisson: 0.3, density: 1}}}\n")
        self.assertGreater(self.run_it("steps", scene)["steps"], 3)

    def test_overlap_of_looking_is_measured(self):
        """What looks for overlap leaves some: between blocks too, at most the way of both between two looks. Exact contact has none."""
        depths = {}
        for contact in ("exact", "sequential-synchronous", "constant", "adaptive"):
            summary = self.run_it(contact, self.blocks(f"{{asynchronous: {{contact: {contact}}}}}"), "--set", "restraints=[]")
            rows = page.csv(self.folder / contact / "history.csv")
            self.assertGreater(summary["contact_events"], 0)
            self.assertEqual(max(rows["penetration"]), summary["max_penetration"])
            self.assertEqual(summary["max_penetration"] > 0, summary["intersections"] > 0, contact)
            depths[contact] = summary["max_penetration"]
        self.assertEqual(depths.pop("exact"), 0)
        for contact, depth in depths.items():
            self.assertTrue(1e-4 < depth < 0.6 * 0.02, f"{contact}: {depth}")

    def test_window_follows_driven_nodes(self):
        """A driven foot goes to and fro far faster than the largest element of the scene vibrates: it is followed all the same."""
        history = ", ".join(f"[{0.05 * i:.2f}, {i % 2}]" for i in range(61))
        scene = self.blocks("asynchronous", "  - {name: coarse, mesh: {box: {from: [10, 0, 0], to: [30, 20, 20], elements: [1, 1, 1]}}, element: hex8, "
                            "material: {st-venant-kirchhoff: {young: 1, poisson: 0.3, density: 1}}}\n")
        self.run_it("driven", scene, "--set", "time.end=3", "--set", "contact=false", "--set", "output.probes=[{name: foot, body: lower, set: zmin}]",
                    "--set", f"restraints=[{{body: lower, set: zmin, fix: xyz, velocity: [0.1, 0, 0], history: [{history}]}}]")
        self.assertAlmostEqual(page.csv(self.folder / "driven/probes.csv")["foot.ux"][-1], 0.15, delta=1e-3)

    def test_same_bits(self):
        for contact, classes, restitution in (("exact", 8, 0), ("exact", 0, 0.5), ("adaptive", 8, 1)):
            with self.subTest(contact=contact, classes=classes):
                scene = self.press(contact, classes, restitution)
                whole = self.run_it("whole", scene, "--threads", 1)
                self.assertGreater(whole["contact_events"], 0)
                for threads in (2, 3, 8):
                    self.assertEqual(self.run_it("threads", scene, "--threads", threads), whole)
                # whatever is written
                state = whole["state_hash"]
                for change in ("output.history.every=7", "output.fields.every=0", "output.history.bodies=true", "output.contacts=true",
                               "output.checkpoint.every=11", "output.probes=[{name: p, body: upper}]"):
                    self.assertEqual(self.run_it("other", scene, "--set", change)["state_hash"], state, change)
                out, _ = self.carom("run", scene, "--no-output")
                self.assertIn(f"state {state}", out)
                # stopped and gone on, twice
                steps = whole["steps"]
                size = whole["step_size"]
                for cut in (steps // 3, 2 * steps // 3):
                    self.carom("run", scene, "-q", "-o", "cut", "--set", f"time.end={(cut - 0.5) * size!r}", "--set",
                               f"time.step={size!r}", "--set", f"output.checkpoint.every={cut}",
                               *(["--resume"] if cut > steps // 2 else []))
                self.assertEqual(self.run_it("cut", scene, "--resume", "--set", f"time.step={size!r}")["state_hash"], state)


class Heaps(cli.CommandTest):
    """Blocks of random size, stiffness, mesh and motion fall on each other and on a floor."""

    def heap(self, seed):
        chance = random.Random(seed)
        count = chance.randint(2, 4)
        bodies = ""
        for i in range(count):
            cells = chance.choice(("tet4", "hex8"))
            mesh = {"from": [-0.5, -0.5, -0.5], "to": [0.5, chance.choice((0.5, 0.2)), 0.5],
                    "elements": [chance.randint(1, 3) for _ in range(3)], "cells": cells,
                    "grading": [chance.choice((1, 1.5, 2)), 1, chance.choice((1, 2))], "blend": [0.3, 0, 0.2],
                    "refine": chance.choice(("from", "to", "both"))}
            place = {"axis": [chance.uniform(-1, 1), chance.uniform(-1, 1), 1], "angle": chance.uniform(0, 90),
                     "translate": [chance.uniform(-0.3, 0.3), chance.uniform(-0.3, 0.3), 1 + 1.75 * i]}
            law = {"young": chance.choice((200, 1000, 20000)), "poisson": 0.3, "density": chance.choice((1, 1, 5))}
            bodies += json.dumps({"name": f"b{i}", "mesh": {"box": mesh}, "place": place, "element": cells,
                                  "material": {"neo-hookean": law}, "velocity": [chance.uniform(-0.5, 0.5), 0, -1 - i],
                                  "spin": [chance.uniform(-1, 1), chance.uniform(-1, 1), 0]}) + ", "
        method = {"asynchronous": {"beta": chance.choice((0.1, 0.25, 0.5)), "classes": chance.choice((0, 4, 8))}}
        contact = {"restitution": chance.choice((0, 0, 0.5, 1)), "friction": chance.choice((0, 0.3, 1)),
                   "planes": [{"name": "floor", "normal": [0, 0, 1]}]}
        path = self.folder / f"heap{seed}.json"
        path.write_text(f'{{"integrator": {json.dumps(method)}, "time": {{"end": 1, "step": "auto"}}, "gravity": [0, 0, -2], '
                        f'"bodies": [{bodies[:-2]}], "contact": {json.dumps(contact)}, "output": {{"fields": {{"every": 5}}}}}}')
        return path

    def test_heaps(self):
        for seed in range(6):
            with self.subTest(seed=seed):
                scene = self.heap(seed)
                hashes = set()
                for threads in (1, 3):
                    self.carom("run", scene, "-q", "--threads", threads, "-o", "out")
                    summary = cli.result(self.folder / "out")
                    hashes.add(summary["state_hash"])
                self.assertEqual(len(hashes), 1)
                self.assertGreater(summary["contact_events"], 0)
                self.assertEqual((summary["intersections"], sum(summary["events"].values())), (0, 0))
                self.assertLess(summary["energy_error"], 0.01)
                self.assertLess(summary["momentum_error"], 1e-11)


class Insert(cli.CommandTest):
    """A block with a fine insert is dropped: both methods agree within the difference between two steps of newmark-dcr. The fine
    step is the one of `asynchronous`, which is an eighth of that difference away."""
    METHODS = ("asynchronous", "newmark-dcr", "newmark-dcr:time.safety=0.25")

    def test_compare(self):
        self.carom("compare", SCENES / "verify/drop_with_insert.yaml", "--threads", 1, "--integrators", ",".join(self.METHODS), "-o", "both", "-q",
                   env={**os.environ, "CAROM_VIEWER": "nowhere.html"})
        both = self.folder / "both"
        folders = [both / run["directory"] for run in json.loads((both / "compare.json").read_text(encoding="utf-8"))["runs"]]
        own, coarse, fine = (page.csv(folder / "probes.csv") for folder in folders)

        def apart(a, b, names):
            """Root mean square over time of the largest difference of some columns; straight between two rows."""
            squares = []
            for j, t in enumerate(a["time"]):
                k = min(max(bisect.bisect(b["time"], t), 1), len(b["time"]) - 1)
                s = (t - b["time"][k - 1]) / (b["time"][k] - b["time"][k - 1])
                squares.append(max(abs(a[name][j] - (1 - s) * b[name][k - 1] - s * b[name][k]) for name in names) ** 2)
            return math.sqrt(sum(squares) / len(squares))

        ways = [name for name in own if name.split(".")[-1] in ("ux", "uy", "uz")]
        self.assertEqual(len(ways), 9)
        difference = apart(coarse, fine, ways)
        self.assertLess(difference, 1e-3)
        self.assertLess(apart(own, fine, ways), 0.25 * difference)
        self.assertLess(apart(own, coarse, ways), 1.25 * difference)


if __name__ == "__main__":
    cli.main()
