#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scenes that take their meshes from files, and meshes that go from one file to another."""
import re
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

    def test_conversion_keeps_the_mesh(self):
        for body in ("tet", "hex", "shell"):
            first, _ = self.carom("mesh", GOOD / f"{body}_41.msh", "-o", "again.msh")
            again, _ = self.carom("mesh", "again.msh")
            self.assertEqual(hash_of(first), hash_of(again))
            bare, _ = self.carom("mesh", GOOD / f"{body}_gmsh.vtk", "-o", "again.vtu")
            again, _ = self.carom("mesh", "again.vtu")
            self.assertEqual(hash_of(bare), hash_of(again))


if __name__ == "__main__":
    cli.main()
