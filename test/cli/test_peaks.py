# SPDX-License-Identifier: MIT
"""Largest stresses and strains: those of every step, in the history, the frames, the summary, the table and the gates."""
import json
import re
import unittest
from pathlib import Path

import cli
from test_output_files import read_vtu, table

SCENE = """\
title: A block is thrown on a floor beside a free bar
integrator: {integrator}
time: {{end: {end}, step: 0.05}}
bodies:
  - name: block
    mesh: {mesh}
    element: {element}
    material: {{neo-hookean: {{young: 1, poisson: 0.3, density: 1}}}}
    velocity: {velocity}
  - name: bar
    mesh: {{line: {{from: [3, 3, 0], to: [4, 3, 0], elements: 3}}}}
    element: {{bar: {{area: 1, strain: green}}}}
    material: {{linear: {{young: 1, density: 1}}}}
    velocity: [0, 0, -0.1]
contact: {{restitution: 0, planes: [{{name: floor, point: [0, 0, -0.03], normal: {normal}}}]}}
output: {{directory: unused, history: {{every: 1}}, fields: {{every: 1}}}}
"""
BOX = "{box: {from: [0, 0, 0], to: [1, 1, 1], elements: [3, 2, 3], cells: %s}}"
KINDS = {
    "hex8": (BOX % "hex8", "hex8"),
    "tet4": (BOX % "tet4", "tet4"),
    "nodal": (BOX % "tet4", "nodal"),
    "quad4": ("{rectangle: {from: [0, 0, 0], to: [1, 1, 0], columns: 4, rows: 3, cells: quad4}}", "quad4"),
    "loop-shell": ("{sphere: {center: [0, 0, 1], radius: 1, faces: 64}}", "{loop-shell: {thickness: 0.1}}"),
}
QUANTITIES = {"max_von_mises": ("von_mises", lambda v: v), "max_principal": ("principal_stress", lambda v: v[0]),
              "min_principal": ("principal_stress", lambda v: v[2]), "max_strain": ("principal_strain", lambda v: v[0])}


PATCHES = """\
integrator: newmark-dcr
time: {end: 0.05, step: auto}
bodies:
  - name: block
    mesh: {box: {from: [0, 0, 0], to: [2, 2, 1], elements: [8, 8, 6], cells: tet4}}
    element: nodal
    material: {neo-hookean: {young: 1000, poisson: 0.3, density: 1}}
    velocity: [0, 0, -1]
contact: {restitution: 0, planes: [{name: floor, normal: [0.1, 0, 1], point: [0, 0, -0.001]}]}
output: {fields: {every: 0}}
"""


# Peaks of these come from the forces, which are found from positions, and frames from displacements: they differ by rounding
# times the size of the coordinates over that of an element, here some 1e-15 of Young's modulus, which is 1.
FUSED = ("hex8", "tet4", "nodal")
ROUNDING = 2e-14


class Peaks(cli.CommandTest):
    def same(self, kind, found, shown, message=None):
        for a, b in zip(found, shown, strict=True):
            self.assertAlmostEqual(a, b, delta=ROUNDING if kind in FUSED else 0, msg=message)

    def write(self, kind, integrator="newmark-dcr", end=3):
        mesh, element = KINDS[kind]
        plane = kind == "quad4"
        text = SCENE.format(mesh=mesh, element=element, integrator=integrator, end=end,
                            normal="[0, 1, 0]" if plane else "[0, 0, 1]", velocity="[0, -0.2, 0]" if plane else "[0.02, 0, -0.2]")
        if plane:
            text = text.replace("point: [0, 0, -0.03]", "point: [0, -0.03, 0]")
        (self.folder / "scene.yaml").write_text(text, encoding="utf-8")

    def run_to(self, name, *more, code=0):
        return self.carom("run", "scene.yaml", "-o", name, *more, code=code)

    def rows(self, name):
        names, rows = table(self.folder / name / "history.csv")
        return [dict(zip(names, row)) for row in rows]

    def frames(self, name):
        paths = sorted((self.folder / name / "fields").iterdir())
        return [(time, arrays) for time, _, _, arrays in map(read_vtu, paths)]

    def compare(self, kind):
        self.write(kind)
        self.run_to("all")
        self.run_to("few", "--set", "output.history.every=7", "--set", "output.fields.every=1000")
        rows, frames, few = self.rows("all"), self.frames("all"), self.rows("few")
        self.assertEqual(len(rows), len(frames))
        cells = [i for i, body in enumerate(frames[0][1]["CellData", "body"]) if body == 0]
        peaks = {peak["name"]: peak for peak in cli.result(self.folder / "few")["peaks"]}
        self.assertEqual(cli.result(self.folder / "all")["peaks"], list(peaks.values()))
        for quantity, (field, part) in QUANTITIES.items():
            if ("CellData", field) not in frames[0][1]:
                self.assertNotIn(f"block.{quantity}", rows[0])
                continue
            extreme = min if quantity == "min_principal" else max
            column = [row[f"block.{quantity}"] for row in rows]
            shown = [extreme(part(arrays["CellData", field][i]) for i in cells) for _, arrays in frames]
            if kind == "nodal":
                # cells show the mean of their nodes
                far = [a - b if extreme is max else b - a for a, b in zip(column, shown)]
                self.assertGreaterEqual(min(far), -ROUNDING)
            else:
                self.same(kind, column, shown, "a row is the frame of its step")
            # a row of the other run tells of all steps since the one before
            windows = [column[:1]] + [column[i + 1:i + 8] for i in range(0, len(column) - 1, 7)]
            self.assertEqual([row[f"block.{quantity}"] for row in few], [extreme(window) for window in windows])
            peak = peaks[f"block.{quantity}"]
            self.assertEqual((peak["body"], peak["quantity"], peak["value"]), ("block", quantity, extreme(column)))
            step = column.index(peak["value"])
            time, arrays = frames[step]
            self.assertEqual(peak["time"], time, "the first step that has it")
            if kind != "nodal":
                self.same(kind, [part(arrays["CellData", field][peak["cell"]])], [peak["value"]])
            self.check_place(kind, peak, arrays)
        self.check_envelopes(kind, frames, self.frames("few"), peaks)

    def check_place(self, kind, peak, arrays):
        """The middle of the nodes of the cell, or one of its nodes."""
        ends = arrays["Cells", "offsets"]
        begin = ends[peak["cell"] - 1] if peak["cell"] else 0
        nodes = [arrays["Points", "position"][k] for k in arrays["Cells", "connectivity"][begin:ends[peak["cell"]]]]
        place = (peak["x"], peak["y"], peak["z"])
        if kind == "nodal":
            self.assertIn(place, nodes)
        else:
            for axis in range(3):
                self.assertAlmostEqual(place[axis], sum(node[axis] for node in nodes) / len(nodes), delta=1e-14)

    def check_envelopes(self, kind, frames, few, peaks):
        for quantity in ("max_von_mises", "max_principal"):
            field, part = QUANTITIES[quantity]
            envelope = few[-1][1].get(("CellData", quantity))
            body = few[-1][1]["CellData", "body"]
            if ("CellData", field) not in frames[0][1]:
                continue
            for i, b in enumerate(body):
                largest = max(part(arrays["CellData", field][i]) for _, arrays in frames)
                if b == 0 and kind == "nodal":
                    self.assertGreaterEqual(envelope[i], largest - ROUNDING)
                elif b == 0:
                    self.same(kind, [envelope[i]], [largest])
            self.assertEqual(max(envelope[i] for i, b in enumerate(body) if b == 0), peaks[f"block.{quantity}"]["value"])

    def test_bricks(self):
        self.compare("hex8")

    def test_tetrahedra(self):
        self.compare("tet4")

    def test_patches(self):
        self.compare("nodal")

    def test_plane(self):
        self.compare("quad4")

    def test_shell(self):
        self.compare("loop-shell")

    def test_bar_is_uniaxial(self):
        self.write("hex8")
        self.run_to("out")
        frames = self.frames("out")
        for row, (_, arrays) in zip(self.rows("out"), frames):
            stress = [s for s, body in zip(arrays["CellData", "axial_stress"], arrays["CellData", "body"]) if body == 1]
            self.assertEqual(row["bar.max_von_mises"], max(map(abs, stress)))
            self.assertEqual(row["bar.max_principal"], max(0, *stress))
            self.assertEqual(row["bar.min_principal"], min(0, *stress))

    def test_frames_miss_what_steps_see(self):
        """A short pulse between two frames: these show less than 80 % of the largest stress."""
        self.write("hex8", end=20)
        self.run_to("out", "--set", "output.fields.every=130", "--set", "output.history.every=100")
        frames = self.frames("out")
        shown = max(max(v for v, body in zip(arrays["CellData", "von_mises"], arrays["CellData", "body"]) if body == 0)
                    for _, arrays in frames)
        peak = next(p for p in cli.result(self.folder / "out")["peaks"] if p["name"] == "block.max_von_mises")
        self.assertLess(shown, 0.8 * peak["value"])
        self.assertEqual(max(row["block.max_von_mises"] for row in self.rows("out")), peak["value"])

    def test_same_numbers_by_threads_and_after_a_restart(self):
        self.write("tet4", end=6)
        few = ["--set", "output.history.every=7", "--set", "output.fields.every=30"]
        self.run_to("whole", *few, "--threads", "1")
        self.run_to("two", *few, "--threads", "2")
        # a checkpoint between two rows
        self.run_to("cut", *few, "--set", "time.end=2.5", "--set", "output.checkpoint.every=11")
        # the row and the frame of the end of the shorter run are cut off
        self.run_to("cut", *few, "--resume", "--set", "output.checkpoint.every=11")
        whole = {path.name: path.read_bytes() for path in (self.folder / "whole/fields").iterdir()}
        for name in ("two", "cut"):
            self.assertEqual(cli.result(self.folder / name)["peaks"], cli.result(self.folder / "whole")["peaks"])
            last = sorted((self.folder / name / "fields").iterdir())[-1]
            self.assertEqual(last.read_bytes(), whole[sorted(whole)[-1]])
        self.assertEqual((self.folder / "two/history.csv").read_bytes(), (self.folder / "whole/history.csv").read_bytes())

    def test_threads_check_several_blocks_at_once(self):
        """The patches of `nodal` are in blocks by their size, and more than 2048 elements are shared by threads."""
        scene = self.folder / "patches.yaml"
        scene.write_text(PATCHES, encoding="utf-8")
        found = []
        for threads in (1, 4):
            self.carom("run", scene, "-o", f"by{threads}", "-q", "--threads", threads)
            found.append(cli.result(self.folder / f"by{threads}")["peaks"])
        self.assertTrue(found[0])
        self.assertEqual(found[0], found[1])

    def test_all_methods(self):
        for method in ("newmark-dcr", "asynchronous", "nonsmooth-newmark", "energy-momentum"):
            self.write("hex8", method, end=1)
            text = (self.folder / "scene.yaml").read_text()
            if method == "energy-momentum":
                (self.folder / "scene.yaml").write_text(text.replace("restitution: 0", "restitution: 1"))
            self.run_to("out", "--set", "output.history.every=7")
            peak = max(p["value"] for p in cli.result(self.folder / "out")["peaks"] if p["name"] == "block.max_von_mises")
            shown = max(max(v for v, body in zip(arrays["CellData", "von_mises"], arrays["CellData", "body"]) if body == 0)
                        for _, arrays in self.frames("out"))
            self.assertGreater(peak, 1e-3, method)
            self.same("hex8" if method == "newmark-dcr" else "fields", [peak], [shown], method)

    def test_gates_and_table(self):
        self.write("hex8", end=1)
        with (self.folder / "scene.yaml").open("a") as scene:
            scene.write('expect: {max_von_mises: "> 0.001", block.max_principal: "> 1e-6", bar.min_principal: "<= 0",\n'
                        '         block.max_strain: "< 1"}\n')
        out, _ = self.run_to("out")
        value = {peak["name"]: peak for peak in cli.result(self.folder / "out")["peaks"]}["block.max_von_mises"]
        self.assertRegex(out, r"PASS max_von_mises +" + re.escape(f"{value['value']:.5g}")[:6])
        self.assertRegex(out, r"Largest stress +value +element +x +y +z +time\n  block: von Mises ")
        again, _ = self.carom("info", "out")
        block = out[out.index("Largest stress"):out.index("at all steps;")]
        self.assertIn(block, again)
        self.assertEqual(cli.result(self.folder / "out")["max_von_mises"], value["value"])
        _, err = self.run_to("out", "--set", "expect.'blck.max_strain'='< 1'", code=2)
        self.assertIn("there is no body 'blck' (did you mean 'block'?)", err)

    def test_gates_that_no_result_can_meet(self):
        """Shells show their von Mises stress alone, and what shows nothing has no peaks."""
        self.write("loop-shell", end=0.1)
        for name, message in (("block.max_principal", "'block' has no max_principal; it has max_von_mises"),
                              ("block.max_strain", "'block' has no max_strain; it has max_von_mises")):
            _, err = self.carom("check", "scene.yaml", "--set", f"expect={{{name}: '< 1'}}", code=2)
            self.assertIn(f"error: expect: {message}\n", err)
        # the bar has all of them
        self.carom("check", "scene.yaml", "--set", "expect={max_strain: '< 1', bar.max_strain: '< 1'}")
        rigid = ("--set", "bodies=[{name: block, mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [1, 1, 1]}}, "
                 "element: {rigid: {density: 1}}}]")
        for name, message in (("max_von_mises", "no body has max_von_mises; there is no stress at all"),
                              ("block.max_von_mises", "'block' has no max_von_mises; it has no stress at all")):
            _, err = self.carom("check", "scene.yaml", *rigid, "--set", f"expect={{{name}: '< 1'}}", code=2)
            self.assertIn(message, err)

    def test_arrays(self):
        """The name of an array means all of its bodies, of which those with the largest stress are shown."""
        self.write("hex8", end=1)
        path = self.folder / "scene.yaml"
        path.write_text(path.read_text().replace("  - name: block\n", "  - name: block\n    array: {copies: [7, 1, 1], "
                                                                      "spacing: [1.5, 0, 0]}\n", 1)
                        .replace("from: [3, 3, 0], to: [4, 3, 0]", "from: [3, 9, 0], to: [4, 9, 0]"))
        with path.open("a") as scene:
            scene.write('expect: {block.max_von_mises: "> 0", block.min_principal: "< 0", block_3.max_von_mises: "> 0"}\n')
        out, _ = self.run_to("out")
        summary = cli.result(self.folder / "out")
        peaks = {peak["name"]: peak["value"] for peak in summary["peaks"]}
        found = {gate["name"]: gate["value"] for gate in summary["expect"]}
        self.assertEqual(found["block.max_von_mises"], max(peaks[f"block_{i}.max_von_mises"] for i in range(7)))
        self.assertEqual(found["block.min_principal"], min(peaks[f"block_{i}.min_principal"] for i in range(7)))
        self.assertEqual(found["block_3.max_von_mises"], peaks["block_3.max_von_mises"])
        shown = re.findall(r"(?m)^  (\S+): von Mises", out)
        stresses = {name.rsplit(".", 1)[0]: value for name, value in peaks.items() if name.endswith("von_mises")}
        self.assertEqual(len(shown), 5)
        self.assertEqual([name for name in stresses if name in shown], shown)
        self.assertGreaterEqual(min(stresses[name] for name in shown),
                                max(value for name, value in stresses.items() if name not in shown))
        self.assertIn("\n  and 3 more bodies, with less von Mises stress\n", out)

    def test_nobody_asks(self):
        """Without them nothing is looked for, and the motion is the same."""
        scene = Path(__file__).resolve().parents[2] / "scenes/gallery/dropped_part.yaml"
        short = ("--quiet", "--set", "time.end=0.02", "--set", "expect={}")
        self.carom("run", scene, "-o", "with", *short)
        self.carom("run", scene, "-o", "without", *short, "--set", "output.history.peaks=false")
        self.carom("run", scene, "-o", "gate", *short, "--set", "output.history.peaks=false", "--set",
                   "expect={max_von_mises: '>= 0'}")
        summaries = [json.loads((self.folder / name / "summary.json").read_text()) for name in ("with", "without", "gate")]
        self.assertEqual(len({summary["state_hash"] for summary in summaries}), 1)
        self.assertTrue(summaries[0]["peaks"])
        self.assertFalse(summaries[1].get("peaks"))
        self.assertEqual(summaries[2]["peaks"], summaries[0]["peaks"])
        self.assertNotIn("max_von_mises", (self.folder / "without" / "history.csv").read_text())

    def test_many_bodies(self):
        """Of more than a hundred bodies the summary tells alone, unless bodies are asked for."""
        self.write("hex8", end=0.1)
        text = (self.folder / "scene.yaml").read_text().replace(
            "  - name: bar\n", "  - name: bar\n    array: {copies: [101, 1, 1], spacing: [2, 0, 0]}\n")
        (self.folder / "scene.yaml").write_text(text)
        self.run_to("out")
        self.assertNotIn("block.max_von_mises", self.rows("out")[0])
        self.assertEqual(len(cli.result(self.folder / "out")["peaks"]), 4 * 102)
        self.run_to("bodies", "--set", "output.history.bodies=true")
        self.assertIn("bar_100.max_strain", self.rows("bodies")[0])


if __name__ == "__main__":
    cli.main()
