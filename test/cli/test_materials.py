# SPDX-License-Identifier: MIT
"""Several materials in one body: the same motion as one material with the same numbers, waves and springs by closed forms, groups
of mesh files, threads, and restarts."""
import csv
import signal

import cli

ONE = "    material: {neo-hookean: {young: 100, poisson: 0.3, density: 2}}\n"
# the same material, given twice
TWO = ONE + """\
    materials:
      - in_box: {low: [0.49, -9, -9], high: [0.99, 9, 9]}
        material: {neo-hookean: {young: 100, poisson: 0.3, density: 2}}
"""
# another one
MIXED = TWO.replace("young: 100, poisson: 0.3, density: 2}}\n    materials", "young: 400, poisson: 0.2, density: 1}}\n    materials")

SCENE = """\
title: Thrown at a wall
integrator: {integrator}
time: {{end: {end}, step: {step}}}
bodies:
  - name: body
    mesh: {mesh}
    element: {element}
{material}    velocity: [-1, 0.2, 0]
    spin: [0, 0, 0.5]
contact: {{restitution: 1, friction: 0.1, planes: [{{name: wall, normal: [1, 0, 0], point: [-0.02, 0, 0]}}]}}
output:
  history: {{every: 1}}
  fields: {{every: 20}}
  checkpoint: {{every: 10}}
  probes: [{{name: corner, body: body, nearest: {{to: [1, 1, 1]}}}}]
"""

BOX = "{box: {from: [0, 0, 0], to: [1.5, 1, 1], elements: [6, 4, 4]CELLS}}"
PLATE = "{rectangle: {from: [0, 0, 0], to: [1.5, 1, 0], columns: 8, rows: 6, cells: CELLS}}"

# Two bricks one above the other, a physical volume each; a third group takes one of them again.
MSH = """\
$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
3
3 1 "soft"
3 2 "hard"
2 3 "top"
$EndPhysicalNames
$Nodes
12
{nodes}$EndNodes
$Elements
3
11 5 2 1 1 1 2 3 4 5 6 7 8
12 5 2 2 2 5 6 7 8 9 10 11 12
13 3 2 3 3 9 10 11 12
$EndElements
"""

DECK = """\
*NODE
{nodes}*ELEMENT, TYPE=C3D8, ELSET=soft
11, 1, 2, 3, 4, 5, 6, 7, 8
*ELEMENT, TYPE=C3D8, ELSET=hard
12, 5, 6, 7, 8, 9, 10, 11, 12
*NSET, NSET=top
9, 10, 11, 12
"""

MEDIT = """\
MeshVersionFormatted 2
Dimension 3
Vertices
12
{nodes}Hexahedra
2
1 2 3 4 5 6 7 8 1
5 6 7 8 9 10 11 12 2
End
"""

# A universal file: nodes, bricks (115), groups of elements (8).
UNIVERSAL = """\
    -1
  2411
{nodes}    -1
    -1
  2412
        11       115         2         1         7         8
         1         2         3         4         5         6         7         8
        12       115         2         1         7         8
         5         6         7         8         9        10        11        12
    -1
    -1
  2467
         1         0         0         0         0         0         0         1
soft
         8        11         0         0
         2         0         0         0         0         0         0         1
hard
         8        12         0         0
    -1
"""

PULL = """\
analysis: {{static: {{linear: true}}}}
bodies:
  - name: column
    mesh: {{file: {{path: {mesh}}}}}
    element: hex8
    materials:
      - {{set: {soft}, material: {{linear: {{young: 10, density: 1}}}}}}
      - {{set: {hard}, material: {{linear: {{young: 40, density: 7}}}}}}
restraints: [{{body: column, on_plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}, fix: xyz}}]
loads: [{{body: column, on_plane: {{point: [0, 0, 4], normal: [0, 0, 1]}}, force: [0, 0, 2]}}]
output: {{probes: [{{name: top, body: column, on_plane: {{point: [0, 0, 4], normal: [0, 0, 1]}}}}]}}
"""


PLACES = [(x, y, z) for z in (0, 2, 4) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]


def corners(separator):
    """The nodes of a column of two bricks, 1 x 1 x 2 each."""
    return "".join(separator.join(map(str, (i + 1, *p))) + "\n" for i, p in enumerate(PLACES))


class Materials(cli.CommandTest):
    def run_scene(self, name, material, *options, integrator="newmark-dcr", element="hex8", mesh=BOX.replace("CELLS", ""),
                  end=0.15, step="auto"):
        scene = self.folder / f"{name}.yaml"
        scene.write_text(SCENE.format(integrator=integrator, element=element, mesh=mesh, material=material, end=end, step=step))
        self.carom("run", scene, "-o", self.folder / name, *options)
        return self.folder / name

    def rows(self, folder, table):
        with open(folder / table, encoding="utf-8") as file:
            return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]

    def compare(self, one, other, table, tolerance=1e-12):
        first, second = self.rows(one, table), self.rows(other, table)
        self.assertEqual(len(first), len(second))
        for column in first[0]:
            if "residual" in column or "drift" in column:
                continue
            scale = max(max(abs(row[column]) for row in first), 1)
            for a, b in zip(first, second):
                self.assertLess(abs(a[column] - b[column]), tolerance * scale, f"{column} of {table}")

    # Forces are added in another order, so that bits differ, and nothing else.
    def test_one_material_in_two_groups(self):
        kinds = [("newmark-dcr", "hex8", BOX.replace("CELLS", "")),
                 ("asynchronous", "tet4", BOX.replace("CELLS", ", cells: tet4")),
                 ("energy-momentum", "hex8", BOX.replace("CELLS", "")),
                 ("nonsmooth-newmark", "{hex8: {integration: one-point}}", BOX.replace("CELLS", "")),
                 ("newmark-dcr", "{loop-shell: {thickness: 0.05}}", PLATE.replace("CELLS", "tri3"))]
        for integrator, element, mesh in kinds:
            with self.subTest(integrator=integrator, element=element):
                # the step is found from forces, with rounding: a number keeps it the same
                where = dict(integrator=integrator, element=element, mesh=mesh, step=0.002, end=0.1)
                one, two = self.run_scene("one", ONE, **where), self.run_scene("two", TWO, **where)
                # the time of an impact is found to 1e-12 of a step, and Newton's method ends at a tolerance of its own
                tolerance = 1e-10 if integrator == "energy-momentum" else 1e-12
                self.compare(one, two, "probes.csv", tolerance)
                self.compare(one, two, "history.csv", tolerance)

    def test_threads(self):
        one = self.run_scene("one", MIXED, "--threads", 1)
        for threads in (2, 3):
            other = self.run_scene("other", MIXED, "--threads", threads)
            self.assertEqual(cli.result(one)["state_hash"], cli.result(other)["state_hash"])
        for table in ("history.csv", "probes.csv"):
            self.assertEqual((one / table).read_bytes(), (other / table).read_bytes())

    def test_restart(self):
        whole = self.run_scene("whole", MIXED, end=1.5)
        process = self.start("run", self.folder / "whole.yaml", "-o", "cut")
        history = self.folder / "cut/history.csv"
        cli.wait_for(lambda: process.poll() is not None or (history.exists() and history.read_bytes().count(b"\n") > 50))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=600)
        if process.returncode == 130:
            self.carom("run", self.folder / "whole.yaml", "-o", "cut", "--resume")
        for table in ("history.csv", "probes.csv"):
            self.assertEqual((whole / table).read_bytes(), (self.folder / "cut" / table).read_bytes())
        self.assertEqual(cli.result(whole)["state_hash"], cli.result(self.folder / "cut")["state_hash"])

    def test_refused_elements(self):
        scene = self.folder / "scene.yaml"
        for element, mesh, words in (("nodal", BOX.replace("CELLS", ""), "element 'nodal' accepts one material"),
                                     ("hex8", BOX.replace("CELLS", ""), "'linear', which is for small rotations")):
            material = TWO if element == "nodal" else TWO.replace("neo-hookean", "linear", 1)
            scene.write_text(SCENE.format(integrator="newmark-dcr", element=element, mesh=mesh, material=material, end=1, step="auto"))
            _, err = self.carom("check", scene, code=2)
            self.assertIn(words, err)
            self.assertIn("scene.yaml:5:5: error: bodies[0]: ", err)

    # Springs in series: u = F/A (L/E1 + L/E2).
    def test_groups_of_files(self):
        (self.folder / "column.msh").write_text(MSH.format(nodes=corners(" ")))
        (self.folder / "column.inp").write_text(DECK.format(nodes=corners(", ")))
        (self.folder / "column.mesh").write_text(MEDIT.format(nodes="".join(f"{x} {y} {z} 0\n" for x, y, z in PLACES)))
        nodes = "".join(f"{i + 1:10d}         1         1        11\n" + "".join(f"{v:25.16E}".replace("E", "D") for v in p) + "\n"
                        for i, p in enumerate(PLACES))
        (self.folder / "column.unv").write_text(UNIVERSAL.format(nodes=nodes))
        self.carom("mesh", "column.msh", "-o", "again.msh")
        for mesh in ("column.msh", "column.inp", "column.mesh", "column.unv", "again.msh"):
            with self.subTest(mesh=mesh):
                scene = self.folder / "pull.yaml"
                soft, hard = ("volume_1", "volume_2") if mesh == "column.mesh" else ("soft", "hard")
                scene.write_text(PULL.format(mesh=mesh, soft=soft, hard=hard))
                self.carom("run", scene, "-o", "pull")
                top = self.rows(self.folder / "pull", "probes.csv")[-1]
                self.assertAlmostEqual(top["top.uz"], 2 * (2 / 10 + 2 / 40), delta=1e-12)

    def test_masses_of_groups(self):
        (self.folder / "column.msh").write_text(MSH.format(nodes=corners(" ")))
        scene = self.folder / "fall.yaml"
        bodies = PULL.format(mesh="column.msh", soft="soft", hard="hard").split("bodies:")[1].split("restraints:")[0]
        scene.write_text("integrator: newmark-dcr\ntime: {end: 0.1, step: 0.01}\nbodies:" + bodies +
                         "    velocity: [0, 0, 3]\n")
        self.carom("run", scene, "-o", "fall")
        # 2 of density 1 and 2 of density 7
        row = self.rows(self.folder / "fall", "history.csv")[-1]
        self.assertAlmostEqual(row["pz"], 3 * (2 * 1 + 2 * 7), delta=1e-12)

    # Two bricks with nodes of their own at the same places.
    def test_parts_that_touch(self):
        places = [(x, y, z) for z in (0, 2, 2, 4) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
        rows = [(i + 1, *p) for i, p in enumerate(places)]
        msh = "".join(" ".join(map(str, row)) + "\n" for row in rows)
        inp = "".join(", ".join(map(str, row)) + "\n" for row in rows)
        (self.folder / "parts.msh").write_text(MSH.replace("$Nodes\n12\n", "$Nodes\n16\n")
                                               .replace("5 6 7 8 9 10 11 12", "9 10 11 12 13 14 15 16")
                                               .replace("3 2 3 3 9 10 11 12", "3 2 3 3 13 14 15 16").format(nodes=msh))
        (self.folder / "parts.inp").write_text(DECK.replace("12, 5, 6, 7, 8, 9, 10, 11, 12",
                                                            "12, 9, 10, 11, 12, 13, 14, 15, 16").format(nodes=inp))
        for mesh in ("parts.msh", "parts.inp"):
            with self.subTest(mesh=mesh):
                scene = self.folder / "parts.yaml"
                body = "  - {{name: {0}, mesh: {{file: {{path: {1}, group: {0}}}}}, element: hex8, material: *m, velocity: [0, 0, {2}]}}\n"
                text = ("integrator: newmark-dcr\ntime: {end: 0.5}\nbodies:\n" + body.format("soft", mesh, 1) +
                        body.format("hard", mesh, -1)).replace("*m", "&m {neo-hookean: {young: 100, density: 1}}", 1)
                scene.write_text(text)
                # nothing is welded, and the message says what to do
                _, err = self.carom("check", scene, code=2)
                self.assertIn("'soft' and 'hard'", err)
                self.assertIn("gap of", err)
                # a small gap, and they meet
                scene.write_text(text.replace("velocity: [0, 0, -1]", "velocity: [0, 0, -1], place: {translate: [0, 0, 0.001]}"))
                self.carom("run", scene, "-o", "gap")
                self.assertEqual(cli.result(self.folder / "gap")["nodes"], 16)
                self.assertGreater(cli.result(self.folder / "gap")["contact_events"], 0)
                # or they pass
                scene.write_text(text + "contact: {pairs: [{bodies: [soft, hard], touch: false}]}\n")
                self.carom("run", scene, "-o", "pass")
                self.assertEqual(cli.result(self.folder / "pass")["contact_events"], 0)


if __name__ == "__main__":
    cli.main()
