#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scenes that take their meshes from files, and meshes that go from one file to another."""
import json
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import cli

GOOD = Path(__file__).resolve().parents[1] / "meshes_good"

SCENE = """\
integrator: newmark-dcr
time: {{end: 1, step: 0.01}}
bodies:
  - name: bar
    mesh: {{file: {{path: {path}{group}}}}}
    element: {{bar: {{area: 1}}}}
    material: {{linear: {{young: 1, poisson: 0, density: 1}}}}
output: {{directory: unused, probes: [{{name: tip, body: bar{where}}}]}}
"""

# two bars of two cells
LINES = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 5 0 0\nv 6 0 0\nv 7 0 0\ng left\nl 1 2 3\ng right\nl 4 5 6\n"


# Names, dimensions and cells of a file as meshio sees them.
MESHIO = """
import json, meshio, sys
mesh = meshio.read(sys.argv[1])
sets = {name: int(sum(len(part) for part in mesh.cell_sets[name])) for name in mesh.field_data}
kinds = {}
for block in mesh.cells:
    kinds[block.type] = kinds.get(block.type, 0) + len(block.data)
print(json.dumps([len(mesh.points), kinds, sets]))
"""


SQUARE = """
Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Point(3) = {1, 0.5, 0}; Point(4) = {0, 0.5, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
Transfinite Curve {1, 2, 3, 4} = 2; Transfinite Surface {1};
"""


def python_with_meshio():
    """Debian's meshio belongs to Debian's Python, which may not be the one that runs this test."""
    for python in (sys.executable, "/usr/bin/python3"):
        if shutil.which(python) and subprocess.run([python, "-c", "import meshio"], capture_output=True).returncode == 0:
            return python
    return None


PYTHON = python_with_meshio()


def hash_of(text):
    return re.search(r"hash\s+([0-9a-f]{16})", text)[1]


class MeshFiles(cli.CommandTest):
    def write_scene(self, path, group="", where=""):
        folder = self.folder / "scenes"
        folder.mkdir(exist_ok=True)
        (folder / "parts").mkdir(exist_ok=True)
        (folder / "parts" / "bars.obj").write_text(LINES)
        scene = folder / "scene.yaml"
        scene.write_text(SCENE.format(path=path, group=f", group: {group}" if group else "", where=f", {where}" if where else ""))
        return scene

    def test_surface_in_every_format(self):
        """Solids of every format have the sets `surface`, and `group: surface` takes the skin."""
        for name in ("hex_22.msh", "hex_41_binary.msh", "hex_gmsh.inp", "hex_gmsh.vtk", "hex_meshio.vtu", "hex_second_order.inp",
                     "tet_meshio.inp", "medit_tet.mesh", "universal_mixed.unv"):
            with self.subTest(mesh=name):
                whole, _ = self.carom("mesh", GOOD / name)
                nodes = re.search(r"node sets[^:]*?\bsurface \((\d+)\)", whole, re.S)
                faces = re.search(r"face sets[^:]*?\bsurface \((\d+)\)", whole, re.S)
                self.assertTrue(nodes and faces, whole)
                skin, _ = self.carom("mesh", GOOD / name, "--group", "surface")
                # quadrilaterals are cut in two
                triangles = int(faces[1]) * (2 if name.startswith("hex") else 1)
                self.assertIn(f"{triangles} tri3", skin)
                self.assertRegex(skin, rf"nodes +{nodes[1]}\n")
                self.assertRegex(skin, r"surface +closed")

    def test_path_is_relative_to_the_scene(self):
        self.carom("check", self.write_scene("parts/bars.obj"))
        self.carom("run", self.write_scene("parts/bars.obj", "right"), "-o", self.folder / "out")
        self.assertEqual(cli.result(self.folder / "out")["integrator"], "newmark-dcr")

    def test_dump_can_be_read_elsewhere(self):
        for group in ("", "right"):
            dump, _ = self.carom("run", self.write_scene("parts/bars.obj", group), "--dump")
            elsewhere = self.folder / "elsewhere"
            elsewhere.mkdir(exist_ok=True)
            (elsewhere / "scene.yaml").write_text(dump)
            self.carom("check", elsewhere / "scene.yaml")
            again, _ = self.carom("run", elsewhere / "scene.yaml", "--dump")
            self.assertEqual(dump, again)

    def test_groups_of_cells_select_nodes(self):
        self.carom("check", self.write_scene("parts/bars.obj", where="set: right"))
        _, err = self.carom("check", self.write_scene("parts/bars.obj", where="set: middle"), code=2)
        self.assertIn("its sets are left, right", err)

    def test_nodes_have_the_numbers_of_the_file(self):
        self.carom("check", self.write_scene("parts/bars.obj", "right", "node: 6"))
        for group, node in (("right", 3), ("", 0), ("", 7)):
            _, err = self.carom("check", self.write_scene("parts/bars.obj", group, f"node: {node}"), code=2)
            self.assertIn(f"no node of number {node}", err)

    def test_copies_do_not_overflow(self):
        scene = self.write_scene("parts/bars.obj")
        array = "    array: {copies: [2097152, 2097152, 4194304], spacing: [1, 1, 1]}\n"
        scene.write_text(scene.read_text().replace("    element:", array + "    element:"))
        _, err = self.carom("check", scene, code=2)
        self.assertIn("bodies are too many", err)

    def test_faults_are_found_by_check(self):
        _, err = self.carom("check", self.write_scene("parts/none.obj"), code=2)
        self.assertRegex(err, r"scene\.yaml:\d+:\d+: error: bodies\[0\]\.mesh: cannot read .*parts/none\.obj")
        _, err = self.carom("check", self.write_scene("parts/bars.obj", "middle"), code=2)
        self.assertIn("there is no group of cells named 'middle'", err)

    @unittest.skipUnless(shutil.which("gmsh"), "needs gmsh")
    def test_cells_of_high_order(self):
        """Of any order that Gmsh writes, with and without nodes inside the faces: the corners are the mesh of order 1."""
        for name, more in (("triangle", ""), ("quadrangle", "Recombine Surface {1};"),
                           ("tetrahedron", "Extrude {0, 0, 0.75} {Surface{1}; Layers{1};}"),
                           ("hexahedron", "Recombine Surface {1}; Extrude {0, 0, 0.75} {Surface{1}; Layers{1}; Recombine;}")):
            (self.folder / "body.geo").write_text(SQUARE + more)
            first = None
            for order, incomplete in ((1, 0), (3, 0), (3, 1), (4, 0), (4, 1), (6, 0)):
                with self.subTest(shape=name, order=order, incomplete=incomplete):
                    subprocess.run(["gmsh", "-v", "1", "-3", "body.geo", "-order", str(order), "-setnumber", "Mesh.SecondOrderIncomplete",
                                    str(incomplete), "-format", "msh41", "-bin", "-o", "body.msh"], cwd=self.folder, check=True,
                                   capture_output=True)
                    out, err = self.carom("mesh", "body.msh")
                    first = first or out
                    self.assertEqual(hash_of(out), hash_of(first))
                    if order > 1:
                        self.assertRegex(err, r"^carom: note: body.msh: (1 cell of higher order is reduced to its|\d+ cells of higher order are reduced to their) corners\n$")

    def test_remarks_reach_every_command(self):
        scene = self.write_scene("parts/bars.inp")
        (self.folder / "scenes/parts/bars.inp").write_text(
            "*NODE\n1, 0\n2, 1\n3, 2\n*STEP\n*ELEMENT, TYPE=T3D2\n1, 1, 2\n2, 2, 3\n*ELEMENT, TYPE=SPRINGA\n3, 1, 3\n")
        for words in (["check", scene], ["run", scene, "-o", self.folder / "out"], ["run", scene, "-o", self.folder / "out2", "--quiet"]):
            _, err = self.carom(*words)
            lines = [line for line in err.splitlines() if "note:" in line]
            self.assertEqual(len(lines), 2, err)
            for line, remark in zip(lines, ("5: *STEP is ignored", "9: elements of type SPRINGA (1) are left out: carom has no cell for them")):
                self.assertRegex(line, rf"scenes/scene\.yaml:5:\d+: note: bodies\[0\]\.mesh: .*scenes/parts/bars\.inp:{re.escape(remark)}$")
        _, err = self.carom("mesh", "file: {path: scenes/parts/bars.inp}")
        self.assertIn("note: scenes/parts/bars.inp:5: *STEP is ignored\n", err)
        # with an error, both are shown
        _, err = self.carom("check", self.write_scene("parts/bars.inp", where="node: 9"), code=2)
        self.assertIn("*STEP is ignored", err)
        self.assertIn("no node of number 9", err)

    @unittest.skipUnless(shutil.which("gmsh"), "needs gmsh")
    def test_same_model_from_every_format(self):
        """A bar in every format that has lines: the same model, and the same run."""
        self.write_scene("parts/bar.msh")
        self.carom("mesh", "line: {from: [0, 0, 0], to: [1, 0, 0], elements: 4}", "-o", "scenes/parts/bar.msh")
        parts = self.folder / "scenes/parts"
        names = ["bar.msh"]
        for form, binary in (("msh41", 1), ("msh22", 0), ("msh22", 1), ("vtk", 0), ("vtk", 1), ("inp", 0)):
            name = f"{form}_{binary}.{form[:3]}"
            subprocess.run(["gmsh", "-v", "1", "-save", "bar.msh", "-o", name, "-format", form, "-setnumber", "Mesh.SaveAll", "1",
                            *(["-bin"] if binary else [])], cwd=parts, check=True, capture_output=True)
            names.append(name)
        self.carom("mesh", "scenes/parts/bar.msh", "-o", "scenes/parts/bar.vtu")
        (parts / "bar.obj").write_text("v 0 0\nv 0.25 0\nv 0.5 0\nv 0.75 0\nv 1 0\nl 1 2 3 4 5\n")
        hashes = {}
        for name in [*names, "bar.vtu", "bar.obj"]:
            out = self.folder / f"out_{name}"
            self.carom("run", self.write_scene(f"parts/{name}"), "-o", out, "--quiet")
            summary = cli.result(out)
            hashes[name] = (summary["model_hash"], summary["state_hash"])
        self.assertEqual(len(set(hashes.values())), 1, hashes)

    def test_conversion_keeps_the_mesh(self):
        for body in ("tet", "hex", "shell"):
            first, _ = self.carom("mesh", GOOD / f"{body}_41.msh", "-o", "again.msh")
            again, _ = self.carom("mesh", "again.msh")
            self.assertEqual(hash_of(first), hash_of(again))
            bare, _ = self.carom("mesh", GOOD / f"{body}_gmsh.vtk", "-o", "again.vtu")
            again, _ = self.carom("mesh", "again.vtu")
            self.assertEqual(hash_of(bare), hash_of(again))

    # coordinates that Gmsh's 16 digits hold; cells with and without sets
    SAVED = ("box: {from: [0, 0, 0], to: [1, 1, 1], elements: [2, 1, 1], cells: hex8}", "line: {from: [0, 0, 0], to: [1, 0, 0], elements: 4}",
             GOOD / "tet_41.msh", GOOD / "hex_gmsh.inp", GOOD / "shell_41.msh")

    @unittest.skipUnless(shutil.which("gmsh"), "needs gmsh")
    def test_gmsh_saves_what_carom_writes(self):
        for source in self.SAVED:
            first, _ = self.carom("mesh", source, "-o", "first.msh")
            for options in (["-format", "msh41"], ["-format", "msh41", "-bin"], ["-format", "msh22"], ["-format", "msh22", "-bin"]):
                with self.subTest(source=str(source), options=options):
                    subprocess.run(["gmsh", "-v", "1", "-save", "first.msh", "-o", "saved.msh", *options], cwd=self.folder, check=True,
                                   capture_output=True)
                    saved, err = self.carom("mesh", "saved.msh")
                    self.assertEqual(err, "")
                    self.assertEqual(hash_of(saved), hash_of(first))

    @unittest.skipUnless(shutil.which("gmsh"), "needs gmsh")
    def test_gmsh_saves_numbers(self):
        """No number is 0 in what carom writes, after --renumber or --fix either: Gmsh would number such a node anew."""
        flat = self.folder / "flat.obj"
        flat.write_text("v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 2 3 3\nf 2 3 4\nf 3 5 4\n")
        for source, option in ((self.SAVED[0], "--renumber"), ("rectangle: {from: [0, 0, 0], to: [3, 2, 0], columns: 3, rows: 2}", "--renumber"), (flat, "--fix"), (flat, "--renumber")):
            with self.subTest(source=str(source), option=option):
                options = [option, "--fix"] if option == "--renumber" and source == flat else [option]
                first, _ = self.carom("mesh", source, *options, "-o", "first.msh")
                text = (self.folder / "first.msh").read_text()
                for section in ("Nodes", "Elements"):
                    self.assertGreater(int(text[text.index(f"${section}\n"):].split()[3]), 0)
                subprocess.run(["gmsh", "-v", "1", "-save", "first.msh", "-o", "saved.msh", "-format", "msh41", "-bin"], cwd=self.folder,
                               check=True, capture_output=True)
                saved, _ = self.carom("mesh", "saved.msh")
                self.assertEqual(hash_of(saved), hash_of(first))

    @unittest.skipUnless(shutil.which("gmsh"), "needs gmsh")
    def test_turned_groups(self):
        """Gmsh turns the cells of groups with negative tags in format 2.2, and leaves it to the reader in 4.1."""
        (self.folder / "turned.geo").write_text(
            SQUARE + 'Physical Surface("a") = {-1}; Physical Curve("rim") = {-1, 2, -3}; Physical Curve("rest") = {4};')
        hashes = {}
        for form in ("msh22", "msh41"):
            subprocess.run(["gmsh", "-v", "1", "-2", "turned.geo", "-format", form, "-bin", "-o", f"{form}.msh"], cwd=self.folder, check=True,
                           capture_output=True)
            hashes[form] = hash_of(self.carom("mesh", f"{form}.msh")[0])
        self.assertEqual(hashes["msh22"], hashes["msh41"])

    @unittest.skipUnless(shutil.which("gmsh"), "needs gmsh")
    def test_same_sets_from_inp(self):
        """The groups of a Gmsh file are the sets of the deck that Gmsh makes of it, with its blanks for underscores."""
        def sets(text):
            kind, found = "", {}
            for line in text[text.index("  node sets"):text.index("  box ")].splitlines():
                kind = line[:15].strip() or kind
                name, count = re.fullmatch(r"(.*) \((\d+)\)", line[15:]).groups()
                found[kind, name.replace(" ", "_")] = int(count)
            return found

        for body in ("tet", "hex", "shell"):
            subprocess.run(["gmsh", "-v", "1", "-save", GOOD / f"{body}_41.msh", "-o", "deck.inp", "-format", "inp", "-setnumber",
                            "Mesh.SaveGroupsOfNodes", "1", "-setnumber", "Mesh.SaveGroupsOfElements", "1"], cwd=self.folder, check=True,
                           capture_output=True)
            groups, deck = (sets(self.carom("mesh", name)[0]) for name in (GOOD / f"{body}_41.msh", "deck.inp"))
            self.assertGreater(len(groups), 2)
            for key, count in groups.items():
                self.assertEqual(deck.get(key), count, (body, key))

    def test_vtu_keeps_numbers(self):
        """Numbers of nodes and cells go through .vtu."""
        first, _ = self.carom("mesh", GOOD / "tet_41.msh", "--renumber", "-o", "a.msh")
        self.carom("mesh", "a.msh", "-o", "a.vtu")
        self.carom("mesh", "a.vtu", "-o", "b.msh")

        def numbers(name):
            text = (self.folder / name).read_text()
            nodes = text[text.index("$Nodes\n"):text.index("$EndNodes")].splitlines()[3:]
            return nodes[:len(nodes) // 2]

        self.assertEqual(numbers("a.msh"), numbers("b.msh"))
        self.assertNotEqual(numbers("a.msh"), sorted(numbers("a.msh"), key=int))

    @unittest.skipUnless(PYTHON, "needs meshio")
    def test_meshio_reads_what_carom_writes(self):
        def read(source):
            self.carom("mesh", source, "-o", "first.msh")
            return json.loads(subprocess.run([PYTHON, "-c", MESHIO, "first.msh"], cwd=self.folder, check=True,
                                             capture_output=True, text=True).stdout)

        for source in self.SAVED:
            with self.subTest(source=str(source)):
                read(source)
        # 4 + 4 + 6 + 6 + 6 + 6 + 12 nodes and 1 + 1 + 2 + 2 + 2 + 2 + 10 faces of sides and surface
        points, kinds, sets = read(self.SAVED[0])
        self.assertEqual((points, kinds), (12, {"vertex": 44, "quad": 20, "hexahedron": 2}))
        self.assertEqual(sets, {"xmin": 1, "xmax": 1, "ymin": 2, "ymax": 2, "zmin": 2, "zmax": 2, "surface": 10, "(no set)": 2})
        _, kinds, sets = read(GOOD / "tet_41.msh")
        self.assertEqual(sets["all"], kinds["tetra"])
        self.assertEqual(sets["lower half"] + sets["upper half"], kinds["tetra"])
        self.assertEqual((sets["corner"], sets["edge"]), (1, 2))
        self.assertNotIn("(no set)", sets)


if __name__ == "__main__":
    cli.main()
