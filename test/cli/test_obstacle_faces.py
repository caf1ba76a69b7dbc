# SPDX-License-Identifier: MIT
"""Obstacles of faces beside solids in energy-momentum: driven tools, a load cell, both sides of a face, threads and restarts."""
import csv
import math

import cli

SCENE = """\
title: Faces
integrator: energy-momentum
time: {{end: {end}, step: {step}}}
gravity: [0, 0, {gravity}]
contact: {{friction: {friction}, restitution: 1}}
bodies:
  - name: block
    mesh: {{box: {{from: [0, 0, 0], to: [1, 1, 0.5], elements: [3, 3, 2]}}}}
    place: {{scale: [{scale}, {scale}, {scale}]}}
    element: hex8
    material: {{neo-hookean: {{young: {young}, poisson: 0.3, density: 1000}}}}
    velocity: {velocity}
"""

TOOL = """\
  - name: {name}
    mesh: {{file: {{path: {name}.obj}}}}
    obstacle: {obstacle}
"""


def obj(nodes, faces):
    """A surface as a Wavefront file."""
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in nodes]
    return "\n".join(lines + ["f " + " ".join(str(k + 1) for k in face) for face in faces]) + "\n"


def table(height, flipped=False, scale=1):
    nodes = [(x * scale, y * scale, height) for x, y in ((-1, -1), (2, -1), (2, 2), (-1, 2))]
    faces = [(0, 1, 2), (0, 2, 3)]
    return obj(nodes, [face[::-1] for face in faces] if flipped else faces)


def brick(nodes):
    """One solid cell as a legacy file of VTK."""
    text = "# vtk DataFile Version 3.0\nsolid\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 double\n"
    text += "".join(f"{x!r} {y!r} {z!r}\n" for x, y, z in nodes)
    return text + "CELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n12\n"


def wedge():
    """Two faces that meet in an edge, which is pressed between the contact points of the block."""
    nodes = [(0.5, -0.3, 0.501), (0.5, 1.3, 0.501), (0.2, -0.3, 1.2), (0.2, 1.3, 1.2), (0.8, -0.3, 1.2), (0.8, 1.3, 1.2)]
    return obj(nodes, [(0, 1, 3), (0, 3, 2), (0, 4, 5), (0, 5, 1)])


def fins():
    """Three faces at one edge, turned this way and that: no manifold."""
    nodes = [(0.47, -0.3, 0.501), (0.47, 1.3, 0.501), (0.1, -0.3, 1.0), (0.47, -0.3, 1.1), (0.9, 1.3, 1.0)]
    return obj(nodes, [(0, 1, 2), (1, 0, 3), (0, 1, 4)])


def roller():
    """The mantle of a cylinder, open at its ends, of long triangles."""
    count = 16
    turns = [2 * math.pi * (i + 0.5) / count for i in range(count)]
    nodes = [(0.5 + 0.3 * math.sin(a), y, 0.801 - 0.3 * math.cos(a)) for y in (-0.3, 1.3) for a in turns]
    faces = [(i, (i + 1) % count, count + (i + 1) % count) for i in range(count)]
    return obj(nodes, faces + [(i, count + (i + 1) % count, count + i) for i in range(count)])


def punch():
    nodes = [(x, y, z) for z in (0.501, 1.0) for x, y in ((0.33, 0.31), (0.67, 0.31), (0.67, 0.69), (0.33, 0.69))]
    squares = [(0, 1, 2, 3), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    return obj(nodes, [part for a, b, c, d in squares for part in ((a, b, c), (a, c, d))])


def hill(height):
    """A sheet of 9 by 9 squares below the block, with a hill in its middle."""
    nodes = [(x / 4 - 0.5, y / 4 - 0.5, -0.001 + height * max(0, 1 - math.hypot(x - 4, y - 4) / 3)) for y in range(9) for x in range(9)]
    return obj(nodes, [part for y in range(8) for x in range(8) for a in [9 * y + x]
                       for part in ((a, a + 1, a + 10), (a, a + 10, a + 9))])


TOOLS = {"wedge": (wedge, "{velocity: [0, 0, -3], ramp: 0.002}"), "fins": (fins, "{velocity: [0, 0, -3], ramp: 0.002}"),
         "punch": (punch, "{velocity: [0, 0, -3], ramp: 0.002}"),
         "roller": (roller, "{velocity: [0, 0, -3], ramp: 0.002, turn: {rate: 10, axis: [0, 1, 0]}}")}


class Faces(cli.CommandTest):
    def scene(self, tools, end=0.012, step=0.0005, friction=0, gravity=0, velocity="[0, 0, 0]", scale=1, young=1e6, more=""):
        text = SCENE.format(end=end, step=step, friction=friction, gravity=gravity, velocity=velocity, scale=scale, young=young)
        for name, (shape, obstacle) in tools.items():
            (self.folder / f"{name}.obj").write_text(shape)
            text += TOOL.format(name=name, obstacle=obstacle)
        (self.folder / "scene.yaml").write_text(text + more)
        return self.folder / "scene.yaml"

    def run_scene(self, scene, directory, *arguments):
        self.carom("run", scene, "-o", directory, "--set", "output.fields.every=0", *arguments)
        return cli.result(self.folder / directory)

    def explained(self, result, name):
        """The books close to rounding, and nothing was missed."""
        last, scale = result["ledger"]["last"], result["scales"]["energy"]
        self.assertLess(abs(last["residual"]), 1e-9 * scale, name)
        self.assertLess(abs(last["projection"]), 1e-9 * scale, name)
        self.assertEqual(result["events"]["contact_missed"], 0, name)

    def test_tools(self):
        """Driven into a block on a table of faces: work, impulses and momentum agree; feelers keep edges out of the block."""
        for name, (shape, motion) in TOOLS.items():
            for friction in (0, 0.3):
                tools = {name: (shape(), motion), "table": (table(-0.0005), "{}")}
                result = self.run_scene(self.scene(tools, friction=friction), name)
                self.explained(result, name)
                last, cells = result["ledger"]["last"], {cell["obstacle"]: cell["impulse"] for cell in result["cells"]}
                self.assertGreater(-last["external"], 50, name)
                # the momentum of the block is what obstacles gave it
                for i in range(3):
                    self.assertAlmostEqual(sum(c[i] for c in cells.values()), -last["momentum"][i], 7, name)
                # each tool has gone 33 mm; an element is 250 mm high
                self.assertLess(result["max_penetration"], 0.012, name)

    def test_load_cell_at_rest(self):
        """A damped block at rest: the cell shows its weight, and the moment of it about its point."""
        scene = self.scene({"table": (table(-0.0001), "{cell: [0, 0.25, 3]}")}, end=0.3, step=0.001, gravity=-10, young=3e6)
        text = scene.read_text().replace("    velocity: [0, 0, 0]\n", "    damping: {mass: 40}\n")
        scene.write_text(text)
        result = self.run_scene(scene, "rest", "--set", "output.history.every=50")
        self.explained(result, "rest")
        with open(self.folder / "rest/history.csv") as file:
            row = list(csv.DictReader(file))[-1]
        with open(self.folder / "rest/pairs.csv") as file:
            pair = list(csv.DictReader(file))[-1]
        self.assertAlmostEqual(float(row["table.force_z"]), -5000, delta=25)
        self.assertAlmostEqual(float(row["table.moment_x"]), -1250, delta=7)
        self.assertAlmostEqual(float(row["table.moment_y"]), 2500, delta=13)
        for axis in "xyz":
            self.assertAlmostEqual(float(row[f"table.moment_{axis}"]), -float(pair[f"moment_{axis}"]), 6)

    def test_both_sides(self):
        """A block bounces off a face that is turned either way, from above and from below, as off a solid table; in small and in
        large units."""
        for scale, up in ((1, False), (1, True), (1e-3, False), (1e-3, True)):
            height = (0.5503 if up else -0.0503) * scale
            solid = [(x, y, height + z) for z in ((0, scale) if up else (-scale, 0)) for x, y in
                     ((-scale, -scale), (2 * scale, -scale), (2 * scale, 2 * scale), (-scale, 2 * scale))]
            (self.folder / "solid.vtk").write_text(brick(solid))
            speeds = []
            for shape in (table(height, False, scale), table(height, True, scale), None):
                scene = self.scene({"table": (shape or "", "{}")}, end=0.08, velocity=f"[0, 0, {2 * scale if up else -2 * scale}]",
                                   scale=scale, young=1e6 * scale**2)
                if not shape:
                    scene.write_text(scene.read_text().replace("table.obj", "solid.vtk"))
                result = self.run_scene(scene, "side")
                self.explained(result, (scale, up))
                self.assertLess(result["max_penetration"], 0.01 * scale)
                speeds.append(result["ledger"]["last"]["momentum"][2] / (500 * scale**4) * (-1 if up else 1))
            self.assertGreater(min(speeds), 1)
            self.assertLess(max(speeds) - min(speeds), 1e-9)

    def test_closed_room(self):
        """A block flies about in a box of faces and never leaves it."""
        nodes = [(x, y, z) for z in (-0.3, 0.9) for x, y in ((-0.3, -0.3), (1.3, -0.3), (1.3, 1.3), (-0.3, 1.3))]
        squares = [(0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
        room = obj(nodes, [part for a, b, c, d in squares for part in ((a, b, c), (a, c, d))])
        probe = "output: {probes: [{name: middle, body: block}]}\n"
        scene = self.scene({"room": (room, "{}")}, end=0.3, step=0.001, velocity="[7, 4, -5]", more=probe)
        result = self.run_scene(scene, "room", "--set", "integrator={energy-momentum: {quadrature: nodal}}")
        self.explained(result, "room")
        with open(self.folder / "room/probes.csv") as file:
            for row in csv.DictReader(file):
                for axis, low, high in (("x", -0.3, 1.3), ("y", -0.3, 1.3), ("z", -0.3, 0.9)):
                    self.assertTrue(low < float(row[f"middle.{axis}"]) < high, row)
        self.assertGreater(result["pairs"][0]["impulse"], 2 * 500 * 5)

    def test_shapes(self):
        """A hill rises below the block, as two files say: flat cells have feelers where they will be bent."""
        (self.folder / "later.obj").write_text(hill(0.1))
        scene = self.scene({"ground": (hill(0), "{shapes: [{time: 0.02, path: later.obj}]}")}, end=0.02)
        result = self.run_scene(scene, "hill")
        self.explained(result, "hill")
        self.assertGreater(result["ledger"]["last"]["momentum"][2], 500)
        self.assertLess(result["max_penetration"], 0.03)

    def test_same_bits(self):
        tools = {name: (TOOLS[name][0](), TOOLS[name][1]) for name in ("roller",)} | {"table": (table(-0.0005), "{}")}
        scene = self.scene(tools, friction=0.3)
        first = self.run_scene(scene, "one", "--threads", 1)
        for threads in (2, 5):
            self.assertEqual(self.run_scene(scene, "more", "--threads", threads)["state_hash"], first["state_hash"])
        keep = ("--set", "output.checkpoint.every=1")
        self.run_scene(scene, "half", "--set", "time.end=0.006", *keep)
        again = self.run_scene(scene, "half", "--resume", *keep)
        self.assertEqual(again["state_hash"], first["state_hash"])
        self.assertEqual([cell["angular_impulse"] for cell in again["cells"]], [cell["angular_impulse"] for cell in first["cells"]])

    def test_passed(self):
        """A penalty that is too soft lets the block in; this ends the run, and says what to do."""
        scene = self.scene({"table": (table(-0.01), "{}")}, end=0.2, step=0.001, velocity="[0, 0, -4]")
        _, error = self.carom("run", scene, "--no-output", "--set",
                              "integrator={energy-momentum: {penalty: 1.0e+3, augmented: 0, halvings: 2, velocity-update: off}}",
                              code=3)
        self.assertIn("'block' goes into a face of 'table' by more than half of `reach`", error)

    def test_refused(self):
        """Nodes alone do not tell the side of a face that they are on."""
        scene = self.scene({"table": (table(-0.01), "{}")})
        scene.write_text(scene.read_text() + "  - name: ball\n    mesh: {point: {at: [3, 0, 1]}}\n    element: {point-mass: {mass: 1}}\n")
        _, error = self.carom("check", scene, code=2)
        self.assertIn("cannot determine on which side of a face of obstacle 'table' the nodes of 'ball' are", error)
        self.carom("check", scene, "--set", "contact.pairs=[{bodies: [ball, table], touch: false}]")


if __name__ == "__main__":
    cli.main()
