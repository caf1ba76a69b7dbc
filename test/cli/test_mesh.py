#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""carom mesh: facts, faults, mending, conversion, CAD; and meshes of files in scenes."""
import os
import re
import shutil
import signal
import struct
import subprocess
import unittest

import cli

# A unit square of two triangles, the second one turned; a node without a cell; physical groups left out.
MSH = """\
$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
5
10 0 0 0
11 1 0 0
12 1 1 0
13 0 1 0
14 7 7 7
$EndNodes
$Elements
2
{first} 2 2 0 1 10 11 12
{second} 2 2 0 1 {nodes}
$EndElements
"""

# A bar of three cells, its nodes not in order.
BAR = """\
$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
4
30 0 0 0
40 3 0 0
50 1 0 0
60 2 0 0
$EndNodes
$Elements
3
7 1 2 0 1 30 50
8 1 2 0 1 60 40
9 1 2 0 1 50 60
$EndElements
"""

BAR_SCENE = """\
integrator: newmark-dcr
time: {end: 0.1, step: 0.1}
bodies:
  - name: bar
    mesh: {file: {path: bar.msh}}
    renumber: true
    element: bar
    material: {linear: {young: 1, density: 1}}
output:
  fields: {every: 1}
  probes: [{name: p, body: bar, node: 50, record: [position]}]
"""

BOX = """\
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 3, 2, 1};
"""


def numbers(data, section):
    """The array `number` of a section of a .vtu file with raw appended data."""
    part = re.search(rb"<" + section + rb">(.*?)</" + section + rb">", data, re.S)[1]
    offset = int(re.search(rb'type="Int64" Name="number"[^>]*offset="(\d+)"', part)[1])
    begin = data.index(b"_", data.index(b"<AppendedData")) + 1 + offset
    size, = struct.unpack_from("=Q", data, begin)
    return list(struct.unpack_from(f"={size // 8}q", data, begin + 8))


class Mesh(cli.CommandTest):
    def msh(self, nodes, name="part.msh"):
        (self.folder / name).write_text(MSH.format(first=21, second=22, nodes=nodes), encoding="utf-8")
        return name

    def test_facts(self):
        out, _ = self.carom("mesh", "box: {from: [0, 0, 0], to: [3, 2, 1], elements: [3, 2, 1]}")
        self.assertIn("  nodes        24\n  cells        6 hex8\n", out)
        self.assertIn("  box          [0, 0, 0] to [3, 2, 1]\n", out)
        self.assertIn("  edges        1 to 1\n", out)
        self.assertIn("  area         22\n  surface      closed\n  volume       6\n", out)
        self.assertIn("  quality      worst 1 (1: regular)\n               0.9-1.0 " + "#" * 40 + " 6\n", out)
        self.assertIn("  faults       none\n", out)
        self.assertRegex(out, r"face sets    xmin \(2\)\n +xmax \(2\)\n +ymin \(3\)")
        out, _ = self.carom("mesh", "line: {from: [0, 0, 0], to: [3, 4, 0], elements: 2}")
        self.assertIn("length       5\n", out)
        self.assertNotIn("quality", out)

    def test_paper_counts(self):
        """4096 = 2 x 2048, 192, 6528 = 3072 + 3456, 14592 = 76 x 192."""
        for text, count in (("sphere: {faces: 2048}", 2048), ("cube", 192), ("sphere: {faces: 3072}", 3072),
                            ("hexagonal-disc: {rings: 24}", 3456)):
            self.assertIn(f"  cells        {count} tri3\n", self.carom("mesh", text)[0])

    def test_paper_models(self):
        """A ball on a membrane has 6528 triangles, a block of 76 cubes 14592."""
        def faces(text):
            return int(re.search(r"cells +(\d+) tri3", self.carom("mesh", text)[0])[1])

        self.assertEqual(faces("sphere: {faces: 3072}") + faces("hexagonal-disc: {rings: 24}"), 6528)
        self.assertEqual((5 * 5 * 3 + 1) * faces("cube"), 14592)

    def test_set(self):
        out, _ = self.carom("mesh", "cube", "--set", "divisions=2", "--set", "center=[1, 2, 3]")
        self.assertIn("cells        48 tri3", out)
        self.assertIn("box          [0.5, 1.5, 2.5] to [1.5, 2.5, 3.5]", out)

    def test_refused(self):
        for words, message in (
            (["sphere: {faces: 5000}"], "cannot have 5000 faces; the nearest are 4800 (cube-mapped) and 5120 (icosahedral)"),
            (["spere: {faces: 32}"], "neither a file nor a mesh generator (did you mean 'sphere'?)"),
            (["nowhere.msh"], "cannot read nowhere.msh: no such file"),
            (["sphere: {faces: 32, radios: 2}"], "unknown key 'radios' (did you mean 'radius'?)"),
            (["sphere: {faces: 32"], "error"),
            (["cube", "--set", "divisions=0"], "expected a whole number from 1 to 100000000, found '0'"),
            ([self.msh("10 12 13"), "--set", "x=1"], "--set belongs to a generator"),
            ([self.msh("10 12 13"), "--size", "1"], "--size belongs to a CAD or .geo file"),
            (["cube", "-o", "x.doc"], "x.doc"),
            (["cube", "--group", "xmin"], "--group belongs to a file, but 'cube' is a generator"),
            (["sphere: {faces: 32}", "--size", "1"], "--size belongs to a file, but 'sphere: {faces: 32}' is a generator"),
        ):
            _, err = self.carom("mesh", *words, code=2)
            self.assertIn(message, err)

    def test_faults(self):
        """Cells and nodes are named by the numbers of the file."""
        good, bad = self.msh("10 12 13", "good.msh"), self.msh("10 13 12", "bad.msh")
        out, err = self.carom("mesh", good)
        self.assertIn("surface      open, 4 edges", out)
        self.assertIn("unused nodes 1\n", out)
        self.assertEqual(err, "")
        out, err = self.carom("mesh", bad, code=2)
        self.assertIn("1 edge where faces turn against each other: 10-12 (--fix mends", err)
        out, err = self.carom("mesh", bad, "--fix", "-o", "mended.vtu")
        self.assertIn("mended       1 unused node dropped\n               1 face of the surface turned\n", out)
        self.assertIn("faults       none", out)
        mended, _ = self.carom("mesh", "mended.vtu")
        self.assertIn("nodes        4\n", mended)

        # a cell with one node twice
        _, err = self.carom("mesh", self.msh("10 12 12", "flat.msh"), code=2)
        self.assertIn("1 degenerate cell: 22", err)

    def test_conversion(self):
        """Through both formats and back: the same hash."""
        description = "tube: {inner: 1, outer: 2, height: 1, around: 8, slices: 2, cells: tet4}"
        first, _ = self.carom("mesh", description, "-o", "a.msh")
        hashes = [re.search(r"hash +(\w+)", first)[1]]
        for source, target in (("a.msh", "b.msh"), ("b.msh", "c.msh")):
            out, _ = self.carom("mesh", source, "--renumber", "-o", target)
            hashes.append(re.search(r"hash +(\w+)", out)[1])
        self.assertEqual(len(set(hashes)), 1, hashes)
        for words in (["a.msh"], ["a.msh", "-o", "d.vtu"], ["d.vtu"]):
            out, _ = self.carom("mesh", *words)
            for fact in ("nodes        48", "cells        96 tet4", "volume       8.485281374", "faults       none"):
                self.assertIn(fact, out)
        # without its groups, the mesh of a.msh is that of d.vtu
        bare = re.sub(r"\$(PhysicalNames|Entities)\n.*?\$End\1\n", "", (self.folder / "a.msh").read_text(), flags=re.DOTALL)
        (self.folder / "bare.msh").write_text(bare)
        hashes = {re.search(r"hash +(\w+)", self.carom("mesh", name)[0])[1] for name in ("bare.msh", "d.vtu")}
        self.assertEqual(len(hashes), 1)
        self.carom("mesh", "d.vtu", "-o", "e.msh")
        hashes.add(re.search(r"hash +(\w+)", self.carom("mesh", "e.msh")[0])[1])
        self.assertEqual(len(hashes), 1)

    def scene_with(self, more="", path="parts/part.msh"):
        text = f"""\
integrator: newmark-dcr
time: {{end: 1, step: 0.1}}
bodies:
  - name: part
    mesh: {{file: {{path: {path}}}}}
    {more}
    element: bar
    material: {{linear: {{young: 1, density: 1}}}}
"""
        (self.folder / "scenes").mkdir(exist_ok=True)
        (self.folder / "scenes/parts").mkdir(exist_ok=True)
        scene = self.folder / "scenes/scene.yaml"
        scene.write_text(text, encoding="utf-8")
        return scene

    def test_output(self):
        """What is written is named; the input is never overwritten; a bad name is refused before anything is read."""
        out, err = self.carom("mesh", "cube", "-o", "cube.vtu")
        self.assertTrue(out.endswith("  wrote        cube.vtu\n"), out)
        self.assertEqual(err, "")
        part = self.msh("10 12 13")
        before = (self.folder / part).read_bytes()
        os.symlink(part, self.folder / "link.msh")
        for name in (part, "./" + part, "link.msh"):
            _, err = self.carom("mesh", part, "-o", name, code=2)
            self.assertIn(f"{name} is the file that is read; write to another one", err)
        self.assertEqual((self.folder / part).read_bytes(), before)
        out, err = self.carom("mesh", self.msh("10 13 12", "bad.msh"), "-o", "x.doc", code=2)
        self.assertEqual((out, err), ("", "carom: error: x.doc: expected a name that ends with .vtu or .msh\n"))
        _, err = self.carom("mesh", "curve: {length: 1, elements: 4}", "-o", "curve.msh")
        self.assertIn("note: curve.msh: the frames of the nodes are left out", err)

    def test_generator_before_file(self):
        """The bare name of a generator is one, whatever is in the folder."""
        (self.folder / "cube").mkdir()
        self.assertIn("192 tri3", self.carom("mesh", "cube")[0])
        _, err = self.carom("mesh", "./cube", code=2)
        self.assertIn("cannot read ./cube: not a plain file", err)

    def test_messages(self):
        """Messages say what to do next."""
        def write(name, text):
            (self.folder / name).write_text(text, encoding="latin-1")
            return name

        for words, message in (
            ([write("ansys.msh", '(1 "meshio")\n')], "ansys.msh:1:1: this is a mesh of ANSYS Fluent"),
            ([write("twice.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 2 3 1\n")], "1 pair of cells on the same side of a face: 0-1"),
            ([write("wedge.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\n"
                    "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n13\n")], "VTK type 13 and 3 points, expected 6"),
            ([write("part.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\ng left\nf 1 2 3\ng right\nf 3 2 1\n"), "--group", "top"],
             "there is no group of cells named 'top' (there are: 'left', 'right')"),
            ([write("vast.obj", "v 0 0 0\nv 1e110 0 0\nv 0 1e110 0\nf 1 2 3\n")], "the mesh has a coordinate of 1e+110"),
            ([write("tiny.obj", "v 0 0 0\nv 1e-200 0 0\nl 1 2\n")], "the mesh has a size of 1e-200"),
        ):
            _, err = self.carom("mesh", *words, code=2)
            self.assertIn(message, err)
        # nothing that --fix could mend
        write("three.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 -1 0\nf 1 2 3\nf 2 1 4\nf 1 2 5\n")
        _, err = self.carom("mesh", "three.obj", code=2)
        self.assertIn("1 edge with more than two faces: 1-2\n", err)
        write("part.step", "ISO-10303-21;\n")
        scene = self.scene_with(path="../part.step")
        _, err = self.carom("check", scene, code=2)
        self.assertIn("gmsh reads such files, not carom; `carom mesh", err)
        scene.write_text(scene.read_text().replace("{path: ../part.step}", "part.msh"))
        _, err = self.carom("check", scene, code=2)
        self.assertIn("bodies[0].mesh.file: expected a map of its parameters, {path: ...}, found 'part.msh'", err)

    def test_selection_messages(self):
        scene = self.folder / "rods.yaml"
        text = """\
integrator: newmark-dcr
time: {end: 1, step: 0.1}
bodies:
  - name: rod
    mesh: {line: {from: [0, 0, 0], to: [1, 0, 0], elements: 2}}
    array: {copies: [3, 1, 1], spacing: [2, 0, 0]}
    element: bar
    material: {linear: {young: 1, density: 1}}
restraints: [{body: %s, fix: xyz}]
"""
        for where, message in (("rod_3", "there is no body 'rod_3' (its copies are rod_0 to rod_2)"),
                               ("rod, in_box: {low: [0, 1, 0], high: [1, 0, 0]}", "restraints[0].in_box: `low` is above `high` along y")):
            scene.write_text(text % where, encoding="utf-8")
            _, err = self.carom("check", scene, code=2)
            self.assertIn(message, err)

    def test_scene(self):
        """A file is looked for beside the scene; faults are refused with the numbers of the file, or mended."""
        scene = self.scene_with()
        self.msh("10 13 12", "scenes/parts/part.msh")
        _, err = self.carom("check", scene, code=2)
        self.assertIn("bodies[0].mesh: parts/part.msh: the mesh has 1 edge where faces turn against each other: 10-12 "
                      "(`fix: true` mends", err)
        self.assertIn("scene.yaml:5:11: error: bodies[0].mesh: ", err)
        _, err = self.carom("check", self.scene_with("fix: true"), code=2)
        self.assertNotIn("the mesh has", err)
        self.assertIn("element 'bar' is made of line2 cells, but mesh 'file' has tri3 cells", err)
        _, err = self.carom("check", self.scene_with(path="nowhere.msh"), code=2)
        self.assertIn("scenes/nowhere.msh", err)

    def test_numbers_in_results(self):
        """A renumbered mesh keeps the numbers of its file in messages and in the fields."""
        (self.folder / "bar.msh").write_text(BAR, encoding="utf-8")
        scene = self.folder / "bar.yaml"
        scene.write_text(BAR_SCENE, encoding="utf-8")
        self.carom("run", scene, "-o", "out", "--quiet")
        frames = sorted((self.folder / "out/fields").glob("*.vtu"))
        data = frames[0].read_bytes()
        nodes, cells = (numbers(data, section) for section in (b"PointData", b"CellData"))
        self.assertEqual(sorted(nodes), [30, 40, 50, 60])
        self.assertEqual(sorted(cells), [7, 8, 9])
        # the file has its nodes from both ends; on the curve they are in the order of x, or against it
        self.assertIn(nodes, ([30, 50, 60, 40], [40, 60, 50, 30]))
        self.assertIn(cells, ([7, 9, 8], [8, 9, 7]))
        # the probe of node 50 is at x = 1
        rows = (self.folder / "out/probes.csv").read_text(encoding="utf-8").splitlines()
        self.assertEqual(float(rows[1].split(",")[1]), 1)
        _, err = self.carom("check", scene, "--set", "output.probes[0].node=1", code=2)
        self.assertIn("output.probes[0]: body 'bar' has no node of number 1", err)

    @unittest.skipUnless(shutil.which("gmsh"), "needs gmsh")
    def test_cad(self):
        (self.folder / "box.geo").write_text(BOX, encoding="utf-8")
        subprocess.run(["gmsh", "box.geo", "-0", "-o", "box.brep"], cwd=self.folder, check=True, capture_output=True)
        before = set(os.listdir(self.folder))
        out, _ = self.carom("mesh", "box.brep", "--size", "0.8", env={**os.environ, "TMPDIR": str(self.folder)})
        self.assertIn("volume       6\n", out)
        self.assertIn("tet4", out)
        self.assertEqual(set(os.listdir(self.folder)), before, "temporary files are removed")
        longest = float(re.search(r"edges +\S+ to (\S+)", out)[1])
        self.assertLess(longest, 1.6)
        (self.folder / "bad.step").write_text("nothing of the kind\n", encoding="utf-8")
        _, err = self.carom("mesh", "bad.step", code=2)
        self.assertIn("bad.step: gmsh cannot mesh it: ", err)
        _, err = self.carom("mesh", "box.brep", "--size", "0", code=2)
        self.assertIn("--size needs a number > 0", err)

    def fake_gmsh(self, script):
        """Runs `script` in the place of gmsh; returns the environment, with a folder for temporary files of its own."""
        program = self.folder / "bin/gmsh"
        program.parent.mkdir()
        program.write_text("#!/bin/sh\n" + script, encoding="utf-8")
        program.chmod(0o755)
        (self.folder / "temporary").mkdir()
        (self.folder / "part.step").write_text("", encoding="utf-8")
        return {"PATH": f"{program.parent}:{os.environ['PATH']}", "TMPDIR": str(self.folder / "temporary")}

    def test_cad_messages(self):
        """Errors and remarks name the CAD file, not the temporary one that is gone by then."""
        environment = self.fake_gmsh('while [ "$1" != -o ]; do shift; done; cp "$MADE" "$2"\n')
        broken, second = self.folder / "broken.msh", self.folder / "second.msh"
        broken.write_text(BAR.replace("60 2 0 0", "60 2 0"), encoding="utf-8")
        # a line of three nodes, the middle one in between
        second.write_text(BAR.replace("7 1 2 0 1 30 50", "7 8 2 0 1 30 60 50"), encoding="utf-8")
        _, err = self.carom("mesh", "part.step", code=2, env={**environment, "MADE": str(broken)})
        self.assertTrue(err.startswith("carom: error: part.step: gmsh has made no mesh that can be read: expected a coordinate"), err)
        self.assertNotIn("temporary", err)
        _, err = self.carom("mesh", "part.step", "--group", "steel", code=2, env={**environment, "MADE": str(second)})
        self.assertIn("part.step: there is no group of cells named 'steel'", err)
        out, err = self.carom("mesh", "part.step", env={**environment, "MADE": str(second)})
        self.assertIn("3 line2", out)
        self.assertEqual(err, "carom: note: part.step: 1 cell of higher order is reduced to its corners\n")
        self.assertEqual(os.listdir(self.folder / "temporary"), [])

    def test_reason_of_gmsh(self):
        """gmsh ends a failure with a summary between rulers; the reason is the line before it."""
        environment = self.fake_gmsh("""\
echo 'Info    : Meshing 3D...'
echo 'Error   : Invalid boundary mesh (overlapping facets) on surface 4 surface 6'
echo 'Error   : ------------------------------'
echo 'Error   : Mesh generation error summary'
echo 'Error   :     0 warnings'
echo 'Error   :     1 error'
echo 'Error   : Check the full log for details'
echo 'Error   : ------------------------------'
echo 'Info    : Stopped on Mon Jan  1 00:00:00 2024'
exit 1
""")
        _, err = self.carom("mesh", "part.step", code=2, env=environment)
        self.assertEqual(err, "carom: error: part.step: gmsh cannot mesh it: Invalid boundary mesh (overlapping facets) on "
                              "surface 4 surface 6\n")

    def test_reason_in_geo(self):
        """A fault in a .geo file is named with its line; a .med file that gmsh was not built for says what to do."""
        environment = self.fake_gmsh("""\
for file in "$@"; do case "$file" in *.geo|*.med) name=$file;; esac; done
case "$name" in
*.geo) echo "Error   : '$name', line 7: unknown command 'Foo'"; echo "Error   : Could not mesh";;
*.med) echo "$@" > "$NOTE"; echo "Error   : Gmsh must be compiled with MED support to read '$name'"; echo "Error   : Error loading '$name'";;
esac
exit 1
""")
        for name in ("part.geo", "part.med"):
            (self.folder / name).write_text("", encoding="utf-8")
        note = self.folder / "note"
        _, err = self.carom("mesh", "part.geo", code=2, env=environment)
        self.assertEqual(err, "carom: error: part.geo:7: gmsh: unknown command 'Foo'\n")
        _, err = self.carom("mesh", "part.med", code=2, env={**environment, "NOTE": str(note)})
        self.assertIn("part.med: gmsh cannot read it: Gmsh must be compiled with MED support", err)
        self.assertIn("(carom reads the universal file, .unv, that Salome exports)", err)
        # a mesh is converted, not meshed anew
        self.assertIn("-save", note.read_text(encoding="utf-8"))
        _, err = self.carom("mesh", "part.med", code=2, env={"PATH": str(self.folder)})
        self.assertIn(".med files are converted by the program gmsh, which is not installed", err)

    @unittest.skipUnless(shutil.which("gmsh"), "needs gmsh")
    def test_geo(self):
        (self.folder / "box.geo").write_text(BOX, encoding="utf-8")
        out, _ = self.carom("mesh", "box.geo", "--size", "0.8", "-o", "box.msh")
        self.assertIn("volume       6\n", out)
        # two solids that touch: each is a group
        (self.folder / "two.geo").write_text('SetFactory("OpenCASCADE");\nBox(1) = {0, 0, 0, 1, 1, 1};\nBox(2) = {1, 0, 0, 1, 1, 1};\n', encoding="utf-8")
        _, err = self.carom("mesh", "two.geo", code=2)
        self.assertIn("by their groups ('volume_1', 'volume_2')", err)
        out, _ = self.carom("mesh", "two.geo", "--group", "volume_2", "-o", "second.msh")
        self.assertIn("volume       1\n", out)
        (self.folder / "bad.geo").write_text("Point(1) = {0, 0, 0};\nBogus Line(1) = {1};\n", encoding="utf-8")
        _, err = self.carom("mesh", "bad.geo", code=2)
        self.assertRegex(err, r"^carom: error: bad\.geo:2: gmsh: .+\n$")

    def test_options_of_gmsh(self):
        """gmsh runs options, which are scripts, next to a file and from the home of the user: it sees neither, unless trusted."""
        environment = self.fake_gmsh("""\
for file in "$@"; do case "$file" in *.step) name=$file;; esac; done
{ echo "$name"; echo "$HOME $GMSH_HOME"; ls -A "$(dirname "$name")"; ls -A "$HOME"; cat "$name"; } > "$NOTE"
while [ "$1" != -o ]; do shift; done; cp "$MADE" "$2"
mkdir -p "$HOME/made" && touch "$HOME/made/by_gmsh"
""")
        home, note = self.folder / "home", self.folder / "note"
        home.mkdir()
        (self.folder / "bar.msh").write_text(BAR, encoding="utf-8")
        (self.folder / "part.STEP").write_text("contents\n", encoding="utf-8")
        (self.folder / "part.STEP.opt").write_text('SystemCall "true";\n', encoding="utf-8")
        (home / ".gmshrc").write_text('SystemCall "true";\n', encoding="utf-8")
        environment |= {"NOTE": str(note), "MADE": str(self.folder / "bar.msh"), "HOME": str(home)}
        self.carom("mesh", "part.STEP", env=environment)
        said = note.read_text(encoding="utf-8")
        # an ending that gmsh knows, and nothing else
        self.assertRegex(said.splitlines()[0], r"^.*/temporary/carom-cad-\w+/input\.step$")
        self.assertEqual(said.splitlines()[1], " ".join([os.path.dirname(said.splitlines()[0])] * 2))
        self.assertIn("contents\n", said)
        self.assertNotIn(".opt", said)
        self.assertNotIn("gmshrc", said)
        self.assertEqual(os.listdir(self.folder / "temporary"), [])
        (self.folder / "part.STEP").rename(self.folder / "part.step")
        self.carom("mesh", "part.step", "--trust", env=environment)
        said = note.read_text(encoding="utf-8")
        self.assertEqual(said.splitlines()[0], os.path.realpath(self.folder / "part.step"))
        self.assertIn("gmshrc", said)

    def test_scripts_of_strangers(self):
        """A .geo file that could do more than make a mesh is refused before gmsh runs, and run with --trust."""
        environment = self.fake_gmsh("""\
for file in "$@"; do case "$file" in *.geo|*.GEO) name=$file;; esac; done
{ echo "$name"; cat "$name"; cd "$(dirname "$name")"; cat sub/*.geo sub/*.step; } > "$NOTE" 2>/dev/null
while [ "$1" != -o ]; do shift; done; cp "$MADE" "$2"
""")
        note, bar = self.folder / "note", self.folder / "bar.msh"
        bar.write_text(BAR, encoding="utf-8")
        environment |= {"NOTE": str(note), "MADE": str(bar)}
        (self.folder / "sub").mkdir()
        (self.folder / "sub/bad.geo").write_text('SystemCall "true";\n', encoding="utf-8")
        (self.folder / "sub/bad.step").write_text('SystemCall "true";\n', encoding="utf-8")
        (self.folder / "sub/good.geo").write_text('lc = 1;\nMerge "part.step";\n', encoding="utf-8")
        (self.folder / "sub/part.step").write_text("ISO\n", encoding="utf-8")
        inside = "names a file that is not in the folder of the script or below it, or of a kind that gmsh may run"
        cut = "must be on a line of at most 8000 bytes, in front of all ends of comments and blocks"
        for text, where, reason in (
                ('x = 1;\nSystemCall "true";', "part.geo:2", "'SystemCall' can run programs"),
                ('NonBlockingSystemCall\n"true";', "part.geo:1", "'NonBlockingSystemCall' can run programs"),
                ('OnelabRun("a", "true");', "part.geo:1", "'OnelabRun' can run programs"),
                ("Field[1] = ExternalProcess;", "part.geo:1", "'ExternalProcess' can run programs"),
                ('// */ SystemCall "true";', "part.geo:1", "'SystemCall' can run programs"),
                ('If (0)\n"\nEndIf\n// "; SystemCall "true";', "part.geo:4", "'SystemCall' can run programs"),
                ('S2N["System"] "true";', "part.geo:1", "'S2N' makes a command of a text"),
                ("Plugin(MathEval).Run;", "part.geo:1", "'Plugin' can write files"),
                ('Save "a.msh";', "part.geo:1", "'Save' can write files"),
                ('Print "a.png";', "part.geo:1", "'Print' can write files"),
                ('Printf("a;)") > "b";', "part.geo:1", "'Printf' may write a file"),
                ('Printf("a") /* */ >> "b";', "part.geo:1", "'Printf' may write a file"),
                (f'Printf("{"a" * 2000}) > b;");', "part.geo:1", "'Printf' may write a file"),
                # gmsh goes on with the line behind For after that of EndFor
                ('For i In {1:2}\n> "a";\nEndFor Printf("b")\n;', "part.geo:3", "'Printf' may write a file"),
                ('For i In {1:2}\n("a") > "b";\nEndFor Printf\n;', "part.geo:3", "'Printf' may write a file"),
                ('For i In {1:2}\n"/a.geo";\nEndFor Merge\n"sub/good.geo";', "part.geo:3",
                 "'Merge' needs the name of a file in quotes"),
                # it reads a long line in pieces
                (f'For i In {{1:2}} {" " * 8175}xSystemCall "true";', "part.geo:1", f"'For' {cut}"),
                ("/*" + "a\n" * 5000 + "*/ For i In {1:2}", "part.geo:5001", f"'For' {cut}"),
                # it removes this file at its end
                ('General.TmpFileName = "../a";', "part.geo:1", "'TmpFileName' can write files"),
                ('Include "/etc/a.geo";', "part.geo:1", f"'Include' {inside}"),
                ("Merge '../a.step';", "part.geo:1", f"'Merge' {inside}"),
                ('Merge "sub/../a.step";', "part.geo:1", f"'Merge' {inside}"),
                ('Merge "http://a.b/a.step";', "part.geo:1", f"'Merge' {inside}"),
                ('Merge "a.py";', "part.geo:1", f"'Merge' {inside}"),
                ('Include "sub/bad.step";', "part.geo:1", f"'Include' {inside}"),
                ('v() = ShapeFromFile("~/a.step");', "part.geo:1", f"'ShapeFromFile' {inside}"),
                ('Include StrCat("a", ".geo");', "part.geo:1", "'Include' needs the name of a file in quotes"),
                ('Include "sub/bad.geo";', "sub/bad.geo:1", "'SystemCall' can run programs"),
                ("a\0b", "part.geo:1", "'\\0' is no character of a text")):
            for name in ("part.geo", "part.GEO"):
                with self.subTest(text=text, name=name):
                    (self.folder / name).write_text(text, encoding="utf-8")
                    _, err = self.carom("mesh", name, code=2, env=environment)
                    where = where.replace("part.geo", name)
                    self.assertEqual(err, f"carom: error: {where}: {reason} (--trust, if you trust the file)\n")
                    self.assertFalse(note.exists(), "gmsh did not run")
                    self.carom("mesh", name, "--trust", env=environment)
                    self.assertEqual(note.read_text(encoding="utf-8").splitlines()[0], os.path.realpath(self.folder / name))
                    note.unlink()
        (self.folder / "part.geo").write_text('// Save the box, System of units\nInclude "sub/good.geo";\n'
                                              'Printf("a (b", 2 > 1);\nv() = ShapeFromFile("sub/bad.step");\n', encoding="utf-8")
        self.carom("mesh", "part.geo", env=environment)
        said = note.read_text(encoding="utf-8")
        self.assertRegex(said.splitlines()[0], r"/temporary/carom-cad-\w+/input\.geo$")
        self.assertIn('Merge "part.step";\nSystemCall', said.replace("ISO\n", ""))
        self.assertNotIn("System of units", said)
        self.assertEqual(os.listdir(self.folder / "temporary"), [])
        _, err = self.carom("mesh", "cube", "--trust", code=2)
        self.assertIn("--trust belongs to a file", err)
        _, err = self.carom("mesh", "bar.msh", "--trust", code=2)
        self.assertIn("--trust belongs to a CAD or .geo file", err)

    @unittest.skipUnless(shutil.which("gmsh"), "needs gmsh")
    def test_scripts_that_gmsh_runs(self):
        """What is refused here is what gmsh would do."""
        made = self.folder / "made"
        (self.folder / "box.geo").write_text(BOX + f'SystemCall "touch {made}";\n', encoding="utf-8")
        self.carom("mesh", "box.geo", "--size", "0.8", code=2)
        self.assertFalse(made.exists())
        self.carom("mesh", "box.geo", "--size", "0.8", "--trust")
        self.assertTrue(made.exists())
        made.unlink()
        # a text is cut behind 1023 bytes, and the last word of a file is joined to the first one of that which it includes
        (self.folder / "rest.geo").write_text(f'temCall "touch {made}";\n', encoding="utf-8")
        for text in (f'a = "touch {made}";\nb = "{"b" * 1000}\n// {"b" * 19}; SystemCall StrCat(a);\n";\n', 'Include "rest.geo"; Sys'):
            (self.folder / "box.geo").write_text(BOX + text, encoding="utf-8")
            self.carom("mesh", "box.geo", "--size", "0.8", code=2)
            self.assertFalse(made.exists(), text)
        # some commands write files of fixed names
        (self.folder / "box.geo").write_text(BOX + "Levelset Point(1) = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};\n",
                                             encoding="utf-8")
        self.carom("mesh", "box.geo", "--size", "0.8")
        self.assertFalse((self.folder / "myNodes.pos").exists())
        (self.folder / "box.geo").write_text('Include "sub/parts.geo";\n', encoding="utf-8")
        (self.folder / "box.geo.opt").write_text(f'SystemCall "touch {made}";\n', encoding="utf-8")
        (self.folder / "sub").mkdir()
        (self.folder / "sub/parts.geo").write_text(BOX, encoding="utf-8")
        out, _ = self.carom("mesh", "box.geo", "--size", "0.8")
        self.assertIn("volume       6\n", out)
        self.assertFalse(made.exists())
        (self.folder / "sub/parts.geo").write_text("Point(1) = {0, 0, 0};\nBogus Line(1) = {1};\n", encoding="utf-8")
        _, err = self.carom("mesh", "box.geo", code=2)
        self.assertRegex(err, r"^carom: error: sub/parts\.geo:2: gmsh: .+\n$")

    def test_cad_interrupted(self):
        """A signal ends gmsh as well, and leaves no temporary files."""
        environment = self.fake_gmsh('echo $$ > "$NOTE.new" && mv "$NOTE.new" "$NOTE" && exec sleep 600\n')
        for number in (signal.SIGTERM, signal.SIGINT):
            note = self.folder / f"note{int(number)}"
            process = self.start("mesh", "part.step", env={**environment, "NOTE": str(note)})
            cli.wait_for(note.exists)
            process.send_signal(number)
            _, err = process.communicate(timeout=600)
            self.assertEqual(process.returncode, 130, err)
            self.assertIn("part.step: interrupted", err)
            with self.assertRaises(ProcessLookupError):
                os.kill(int(note.read_text(encoding="utf-8")), 0)
            self.assertEqual(os.listdir(self.folder / "temporary"), [])

    def test_prisms_of_a_scene(self):
        (self.folder / "part.inp").write_text("*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n5, 1, 0, 1\n6, 0, 1, 1\n"
                                              "*ELEMENT, TYPE=C3D6, ELSET=ALL\n1, 1, 2, 3, 4, 5, 6\n", encoding="utf-8")
        for cut, element, fits in (("", "wedge6", True), ("", "tet4", False), (", prisms: cut", "tet4", True),
                                   (", prisms: cut", "wedge6", False)):
            with self.subTest(cut=cut, element=element):
                (self.folder / "part.yaml").write_text(
                    f"integrator: newmark-dcr\nbodies:\n  - name: part\n    mesh: {{file: {{path: part.inp{cut}}}}}\n    element: {element}\n"
                    "    material: {linear: {young: 1, poisson: 0.3, density: 1}}\ntime: {end: 1, step: auto}\n", encoding="utf-8")
                _, err = self.carom("check", "part.yaml", code=0 if fits else 2)
                if not cut and not fits:
                    self.assertIn("(element 'wedge6' fits; or set `prisms: cut` for the file)", err)

    def test_cad_without_gmsh(self):
        (self.folder / "part.step").write_text("", encoding="utf-8")
        _, err = self.carom("mesh", "part.step", code=2, env={"PATH": str(self.folder)})
        self.assertIn("CAD and .geo files are meshed by the program gmsh, which is not installed (apt-get install gmsh)", err)


if __name__ == "__main__":
    cli.main()
