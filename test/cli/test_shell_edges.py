# SPDX-License-Identifier: MIT
"""Mirrored and clamped edges of shells: what the books do not have is said."""
import cli

SHEET = """
integrator: newmark-dcr
time: {end: 0.002, step: auto}
bodies:
  - name: sheet
    mesh: {rectangle: {from: [0, 0, 0], to: [1, 1, 0], columns: 6, rows: 6, cells: tri3}}
    element: {loop-shell: {thickness: 0.05%s}}
    material: {st-venant-kirchhoff: {young: 1.0e+7, poisson: 0.3, density: 1000}}
loads: [{body: sheet, traction: [3000, 0, 300]}]
output: {fields: {every: 0}}
restraints:
"""
MIRROR = "  - {body: sheet, set: xmin, fix: x}\n  - {body: sheet, set: ymin, fix: y}\n"
CLAMP = "  - {body: sheet, set: xmin, fix: xyz}\n"


class ShellEdges(cli.CommandTest):
    def scene(self, edges, restraints):
        path = self.folder / "sheet.yaml"
        path.write_text(SHEET % edges + restraints, encoding="utf-8")
        return path

    def test_momentum_of_mirrored_edges_is_explained(self):
        path = self.scene(", symmetry: x=0 y=0", MIRROR)
        _, error = self.carom("run", path, "-o", self.folder / "out")
        self.assertRegex(error, r"the momentum drifted by \S+ of its scale, the angular momentum by \S+: the reaction of the "
                                "mirrored edges of body 'sheet' is not booked; nothing is wrong with the motion")
        self.assertNotIn("nothing explains", error)
        # a gate compares the number as it is
        self.carom("run", path, "-o", self.folder / "gated", "--set", 'expect.momentum_drift="< 1e-6"', code=1)

    def test_angular_momentum_of_clamped_edges_is_explained(self):
        _, error = self.carom("run", self.scene(", clamped: xmin", CLAMP), "-o", self.folder / "out")
        self.assertRegex(error, r"the angular momentum drifted by \S+ of its scale: the moment of the clamped edges of body "
                                "'sheet' is not booked; nothing is wrong with the motion")
        self.assertNotIn("the momentum drifted", error)

    def test_hinged_edges_are_booked(self):
        _, error = self.carom("run", self.scene("", CLAMP), "-o", self.folder / "out")
        self.assertNotIn("drifted", error)


if __name__ == "__main__":
    cli.main()
