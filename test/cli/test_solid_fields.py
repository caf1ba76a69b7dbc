# SPDX-License-Identifier: MIT
"""Stresses of solids in field files: a block under uniform strain shows its stress in every element and at every node."""
import math
import struct
import xml.etree.ElementTree as ElementTree

import cli

# Very heavy, so that forces do not change the motion in the time of the run.
SCENE = """
title: Uniform strain
integrator: newmark-dcr
time: {{end: 0.1, step: 0.01}}
bodies:
  - name: body
    mesh: {mesh}
    element: {element}
    material: {{st-venant-kirchhoff: {{young: 3, poisson: {poisson}, density: 1e9}}}}
    velocity: {velocity}
    spin: {spin}
output: {{fields: {{every: 10}}}}
"""


def arrays(path):
    """All arrays of a .vtu file with appended raw data: section/name -> list of tuples."""
    data = path.read_bytes()
    cut = data.index(b"<AppendedData")
    root = ElementTree.fromstring(data[:cut] + b"</VTKFile>")
    begin = data.index(b"_", cut) + 1
    found = {}
    for section in root.find("UnstructuredGrid/Piece"):
        for array in section:
            at = begin + int(array.get("offset"))
            size, = struct.unpack_from("<Q", data, at)
            kind = {"Float64": "d", "Int32": "i", "Int64": "q", "UInt8": "B"}[array.get("type")]
            values = struct.unpack_from(f"<{size // struct.calcsize(kind)}{kind}", data, at + 8)
            n = int(array.get("NumberOfComponents"))
            found[section.tag, array.get("Name")] = [values[i:i + n] for i in range(0, len(values), n)]
    return found


class SolidFields(cli.CommandTest):
    def frame(self, **settings):
        scene = self.folder / "scene.yaml"
        scene.write_text(SCENE.format(**settings))
        self.carom("run", scene, "-o", "out")
        return arrays(self.folder / "out/fields/frame_000001.vtu")

    # The nodes of a spinning body leave their circles along tangents: F is a turn times a stretch by sqrt(1 + (w t)^2) in the plane, so
    # Green's strain is (w t)^2/2 there, and the stress is the same in all axes of the plane.
    def check(self, plane, **settings):
        found = self.frame(poisson=0.25, velocity="[1, 2, 0]", spin="[0, 0, 1.5]", **settings)
        square = (1.5 * 0.1) ** 2
        strain = 0.5 * square
        # S = lambda tr E + 2 mu E with lambda = mu = 1.2
        inner, across = 1.2 * 2 * strain + 2.4 * strain, 1.2 * 2 * strain
        thinning = 1
        if plane == "stress":
            across = 0
            # E_33 = -lambda/(lambda + 2 mu) (E_11 + E_22)
            thick = -2 * strain / 3
            inner = 1.2 * (2 * strain + thick) + 2.4 * strain
            thinning = math.sqrt(1 + 2 * thick)
        # sigma = F S F^T/J, with J = (1 + square) F_33
        stress = (inner / thinning, inner / thinning, across / (1 + square), 0, 0, 0)
        mises = abs(stress[0] - stress[2])
        for section, end in (("CellData", ""), ("PointData", "_nodes")):
            self.assertGreater(len(found[section, "stress" + end]), 20)
            for row in found[section, "stress" + end]:
                for value, expected in zip(row, stress):
                    self.assertAlmostEqual(value, expected, delta=1e-9)
            for value, in found[section, "von_mises" + end]:
                self.assertAlmostEqual(value, mises, delta=1e-9)
            for row in found[section, "principal_stress" + end]:
                for value, expected in zip(row, stress):
                    self.assertAlmostEqual(value, expected, delta=1e-8)
            for row in found[section, "principal_strain" + end]:
                self.assertAlmostEqual(row[0], strain, delta=1e-8)
                self.assertAlmostEqual(row[1], strain, delta=1e-8)

    def test_hex8(self):
        mesh = "{box: {from: [0, 0, 0], to: [2, 1, 1], elements: [4, 3, 2], grading: [1.5, 1, 1.3]}}"
        self.check("", mesh=mesh, element="hex8")
        self.check("", mesh=mesh, element="{hex8: {integration: one-point}}")

    def test_tet4(self):
        self.check("", mesh="{box: {from: [0, 0, 0], to: [2, 1, 1], elements: [3, 3, 2], cells: tet4}}", element="tet4")

    def test_nodal(self):
        for cells in ("tet4", "hex8"):
            mesh = f"{{box: {{from: [0, 0, 0], to: [2, 1, 1], elements: [4, 3, 2], grading: [1.5, 1, 1.3], cells: {cells}}}}}"
            self.check("", mesh=mesh, element="nodal")
            self.check("", mesh=mesh, element="{nodal: {stabilisation: 0.2}}")

    def test_plane(self):
        for cells in ("tri3", "quad4"):
            for plane in ("strain", "stress"):
                mesh = f"{{rectangle: {{from: [0, 0, 0], to: [2, 1, 0], columns: 7, rows: 4, cells: {cells}}}}}"
                self.check(plane, mesh=mesh, element=f"{{{cells}: {{plane: {plane}}}}}")


if __name__ == "__main__":
    cli.main()
