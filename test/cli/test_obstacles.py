# SPDX-License-Identifier: MIT
"""Obstacles by every method: same bits for threads and restarts, load cells, plane figures, point sets, shapes in a series."""
import csv

import cli

HEAD = """\
title: Obstacles
integrator: {method}
time: {{end: {end}, step: {step}}}
contact: {{friction: {friction}, restitution: {restitution}}}
bodies:
"""

BLOCK = """\
  - name: block
    mesh: {box: {from: [0, 0, 0], to: [1, 1, 0.5], elements: [3, 3, 2]}}
    element: hex8
    material: {neo-hookean: {young: 1.0e+6, poisson: 0.3, density: 1000}}
"""

TOOLS = """\
  - name: roller
    mesh: {cylinder: {center: [0, 0, -0.6], radius: 0.3, height: 1.2, divisions: 4, layers: 1, slices: 6}}
    place: {axis: [1, 0, 0], angle: 90, translate: [0.5, 0.5, 0.801]}
    obstacle: {velocity: [0, 0, -3], ramp: 0.002, turn: {rate: 10, axis: [0, 1, 0]}, cell: [0.5, 0.5, 0.8]}
  - name: table
    mesh: {box: {from: [-1, -1, -0.5], to: [2, 2, -0.0005], elements: [1, 1, 1]}}
    obstacle: {}
"""

METHODS = {"newmark-dcr": (0.2, 0), "asynchronous": (0.2, 0), "energy-momentum": (0, 1), "nonsmooth-newmark": (0, 0)}


def grid(height):
    """A sheet as a Wavefront file, with nodes lifted to a height."""
    lines = [f"v {x} {y} {height(x, y)}" for y in range(-1, 3) for x in range(-1, 3)]
    for j in range(3):
        for i in range(3):
            a = 4 * j + i + 1
            lines += [f"f {a} {a + 1} {a + 5}", f"f {a} {a + 5} {a + 4}"]
    return "\n".join(lines) + "\n"


def vtk(nodes, cells, kind):
    """Cells of one kind as a legacy file of VTK."""
    size = sum(1 + len(cell) for cell in cells)
    text = f"# vtk DataFile Version 3.0\nobstacles\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {len(nodes)} double\n"
    text += "".join(f"{x} {y} {z}\n" for x, y, z in nodes) + f"CELLS {len(cells)} {size}\n"
    text += "".join(f"{len(cell)} {' '.join(map(str, cell))}\n" for cell in cells)
    return text + f"CELL_TYPES {len(cells)}\n" + f"{kind}\n" * len(cells)


class Obstacles(cli.CommandTest):
    def write(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def scene(self, method="newmark-dcr", end=0.01, step=0.0005, bodies=BLOCK + TOOLS, more=""):
        friction, restitution = METHODS[method]
        head = HEAD.format(method=method, end=end, step=step, friction=friction, restitution=restitution)
        return self.write(f"{method}.yaml", head + bodies + more)

    def rows(self, directory):
        with open(self.folder / directory / "history.csv") as file:
            return [{k: v for k, v in row.items() if k not in ("residual", "oscillation")} for row in csv.DictReader(file)]

    def run_scene(self, scene, directory, *arguments):
        self.carom("run", scene, "-o", directory, "--set", "output.fields.every=0", *arguments)
        return cli.result(self.folder / directory)

    def test_methods(self):
        """Each method drives the roller into the block: the work is explained, and cells and pairs tell the same."""
        for method in METHODS:
            result = self.run_scene(self.scene(method), method)
            last, cells = result["ledger"]["last"], {cell["obstacle"]: cell for cell in result["cells"]}
            self.assertGreater(-last["external"], 20, method)
            self.assertLess(abs(last["residual"]), 0.02 * -last["external"], method)
            pushes = {tuple(sorted(pair["bodies"])): pair["impulse"] for pair in result["pairs"]}
            self.assertGreater(cells["roller"]["impulse"][2], 0.5 * pushes[("block", "roller")], method)
            self.assertGreater(cells["roller"]["peak_force"], 0, method)

    def test_threads_and_restart(self):
        held = "restraints:\n  - {body: block, set: xmin, fix: xy, until: 0.004}\n"
        scene = self.scene(more=held)
        reference = self.run_scene(scene, "t1", "--threads", 1, "--set", "output.history.every=1")
        for threads in (2, 3, 8):
            other = self.run_scene(scene, f"t{threads}", "--threads", threads, "--set", "output.history.every=1")
            self.assertEqual(other["state_hash"], reference["state_hash"])
            self.assertEqual(other["cells"], reference["cells"])
        # stopped before and after the nodes are let go
        for end in (0.003, 0.006):
            keep = ("--set", "output.history.every=1", "--set", "output.checkpoint.every=1")
            self.run_scene(scene, "half", "--set", f"time.end={end}", *keep)
            again = self.run_scene(scene, "half", "--resume", *keep)
            self.assertEqual(again["state_hash"], reference["state_hash"])
            for one, other in zip(again["cells"], reference["cells"]):
                self.assertEqual((one["impulse"], one["angular_impulse"]), (other["impulse"], other["angular_impulse"]))
            # windows of forces and rows that show the oscillation depend on the end of a run
            self.assertEqual(self.rows("half"), self.rows("t1"))

    def test_columns(self):
        self.run_scene(self.scene(), "columns", "--set", "output.history.every=1")
        with open(self.folder / "columns/history.csv") as file:
            rows = list(csv.DictReader(file))
        result = cli.result(self.folder / "columns")
        for cell in result["cells"]:
            for number, axis in enumerate("xyz"):
                force = sum(float(row[f"{cell['obstacle']}.force_{axis}"]) for row in rows) * 0.0005
                moment = sum(float(row[f"{cell['obstacle']}.moment_{axis}"]) for row in rows) * 0.0005
                self.assertAlmostEqual(force, cell["impulse"][number], 6)
                self.assertAlmostEqual(moment, cell["angular_impulse"][number], 6)

    def pair_sums(self, directory, step):
        """Impulses and their moments on obstacles, summed over the rows of pairs.csv."""
        sums = {}
        with open(self.folder / directory / "pairs.csv") as file:
            for row in csv.DictReader(file):
                for name, sign in ((row["body_1"], 1), (row["body_2"], -1)):
                    at = sums.setdefault(name, [0.0] * 6)
                    for i, column in enumerate(("force_x", "force_y", "force_z", "moment_x", "moment_y", "moment_z")):
                        at[i] += sign * step * float(row[column])
        return sums

    def test_moments_of_pairs(self):
        """By every method the moments of pairs add up to those of the cell, and a cell elsewhere shows another by r x F."""
        for method in METHODS:
            shown = []
            for place in ("[0.5, 0.5, 0.8]", "[0.2, 0.9, 1.1]"):
                bodies = BLOCK + TOOLS.replace("[0.5, 0.5, 0.8]", place)
                self.run_scene(self.scene(method, bodies=bodies), "moments", "--set", "output.history.every=1")
                sums = self.pair_sums("moments", 0.0005)
                for cell in cli.result(self.folder / "moments")["cells"]:
                    told = cell["impulse"] + cell["angular_impulse"]
                    size = max(map(abs, told))
                    # waves may not have reached the table
                    self.assertTrue(size > 0 or cell["obstacle"] == "table", method)
                    for one, other in zip(sums.get(cell["obstacle"], [0] * 6), told):
                        self.assertLessEqual(abs(one - other), 1e-11 * size, method)
                shown.append(sums["roller"])
            force, first, second = shown[0][:3], shown[0][3:], shown[1][3:]
            # both cells turn with the roller, by a tenth of a radian at the end
            arm = (0.3, -0.4, -0.3)
            change = [arm[(i + 1) % 3] * force[(i + 2) % 3] - arm[(i + 2) % 3] * force[(i + 1) % 3] for i in range(3)]
            size = max(map(abs, force))
            for i in range(3):
                self.assertLess(abs(second[i] - first[i] - change[i]), 0.1 * size, method)
            self.assertGreater(max(map(abs, change)), 0.2 * size, method)

    def test_moment_of_one_impact(self):
        """A mass of 2 bounces off a table at a speed of 3: an impulse of 12 at a known place, about a known point."""
        bodies = """\
  - name: ball
    mesh: {point: {at: [0.3, -0.2, 0.1]}}
    element: {point-mass: {mass: 2}}
    velocity: [0, 0, -3]
  - name: table
    mesh: {rectangle: {from: [-1, -1, 0], to: [1, 1, 0], columns: 1, rows: 1}}
    obstacle: {cell: [0.1, 0.4, 7]}
"""
        scene = self.scene(end=0.1, step=0.001, bodies=bodies)
        self.run_scene(scene, "impact", "--set", "output.history.every=1", "--set", "contact.restitution=1", "--set",
                       "contact.friction=0")
        sums = self.pair_sums("impact", 0.001)
        # (0.2, -0.6, .) x (0, 0, -12) on the table; the opposite on the ball, about the same point
        for name, sign in (("table", 1), ("ball", -1)):
            for one, other in zip(sums[name], (0, 0, -12, 7.2, 2.4, 0)):
                self.assertAlmostEqual(one, sign * other, 9)

    def test_plane(self):
        """A plate between a turning wheel, a wall of segments and a floor of points."""
        pins = [(0.1 + 0.2 * i, -0.052 - 0.01 * (i % 2), 0) for i in range(5)]
        wall = [(1.06, -1, 0), (1.06, 0.3, 0), (1.06, 1, 0)]
        self.write("pins.vtk", vtk(pins, [(i,) for i in range(5)], 1))
        self.write("wall.vtk", vtk(wall, [(0, 1), (1, 2)], 3))
        plate = """\
  - name: plate
    mesh: {rectangle: {from: [0, 0, 0], to: [1, 1, 0], columns: 4, rows: 4}}
    element: {quad4: {plane: strain}}
    material: {neo-hookean: {young: 1.0e+6, poisson: 0.3, density: 1000}}
    velocity: [1, -3, 0]
  - name: pins
    mesh: {file: {path: pins.vtk}}
    obstacle: {}
  - name: wall
    mesh: {file: {path: wall.vtk}}
    obstacle: {}
  - name: wheel
    mesh: {disc: {center: [0.4, 1.52, 0], radius: 0.5, divisions: 4, layers: 2}}
    obstacle: {velocity: [0, -4, 0], turn: {rate: 30}}
"""
        for method in ("newmark-dcr", "nonsmooth-newmark", "energy-momentum"):
            scene = self.scene(method, end=0.08, step=0.0005, bodies=plate)
            result = self.run_scene(scene, f"plane-{method}")
            touched = {name for pair in result["pairs"] for name in pair["bodies"]}
            self.assertEqual(touched, {"plate", "pins", "wall", "wheel"}, method)
            if method == "newmark-dcr":
                self.assertEqual(result["intersections"], 0)
            self.assertLess(abs(result["ledger"]["last"]["residual"]), 0.02 * result["scales"]["energy"], method)

    def test_shapes(self):
        """A sheet rises below a block, as two files say, and lifts it."""
        self.write("flat.obj", grid(lambda x, y: -0.001))
        self.write("hill.obj", grid(lambda x, y: 0.2 if x in (0, 1) and y in (0, 1) else -0.001))
        sheet = """\
  - name: sheet
    mesh: {file: {path: flat.obj}}
    obstacle: {shapes: [{time: 0.02, path: hill.obj}]}
"""
        scene = self.scene(end=0.02, bodies=BLOCK + sheet, more="output: {probes: [{name: centre, body: block}]}\n")
        result = self.run_scene(scene, "shapes")
        self.assertEqual(result["intersections"], 0)
        self.assertGreater(result["ledger"]["last"]["momentum"][2], 1)
        self.assertLess(abs(result["ledger"]["last"]["residual"]), 0.01 * result["scales"]["energy"])

    def test_refused(self):
        """What is not there is refused by its name."""
        scene = self.scene()
        _, error = self.carom("run", scene, "--no-output", "--set", "integrator=multisymplectic", "--set",
                              "contact={restitution: 1}", code=2)
        self.assertIn("multisymplectic does not support obstacles (body 'roller')", error)


if __name__ == "__main__":
    cli.main()
