# SPDX-License-Identifier: MIT
"""Mirrored and clamped edges of shells: what the books do not have is said, and edges that are not there or not held."""
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
        self.assertRegex(error, r"the momentum error is \S+ of its scale, that of the angular momentum \S+: the reaction of the "
                                "mirrored edges of body 'sheet' is not recorded; the motion is correct")
        self.assertNotIn("without a known cause", error)
        # a gate compares the number as it is
        self.carom("run", path, "-o", self.folder / "gated", "--set", 'expect.momentum_error="< 1e-6"', code=1)

    def test_angular_momentum_of_clamped_edges_is_explained(self):
        _, error = self.carom("run", self.scene(", clamped: xmin", CLAMP), "-o", self.folder / "out")
        self.assertRegex(error, r"the error of the angular momentum is \S+ of its scale: the moment of the clamped edges of body "
                                "'sheet' is not recorded; the motion is correct")
        self.assertNotIn("the momentum error", error)

    def test_hinged_edges_are_booked(self):
        _, error = self.carom("run", self.scene("", CLAMP), "-o", self.folder / "out")
        self.assertNotIn("momentum", error)

    def test_a_plane_of_symmetry_must_hold_an_edge(self):
        _, error = self.carom("check", self.scene(", symmetry: x=0.3", MIRROR), code=2)
        self.assertIn("body 'sheet': symmetry: no open edge of the mesh lies in the plane x=0.3, and one must; the mesh reaches "
                      "from x=0 to x=1", error)
        # nodes lie in this one, but no open edge
        _, error = self.carom("check", self.scene(", symmetry: y=0.5", MIRROR), code=2)
        self.assertIn("no open edge of the mesh lies in the plane y=0.5", error)

    def test_a_plane_that_is_none_is_reported_at_its_key(self):
        _, error = self.carom("check", self.scene(", symmetry: w=0", MIRROR), code=2)
        self.assertRegex(error, r"sheet\.yaml:7:55: error: .*symmetry: 'w=0' is not a plane such as x=0")

    def test_mirrored_edges_want_restraints(self):
        path = self.scene(", symmetry: x=0 y=0", MIRROR)
        self.assertNotIn("note", self.carom("check", path)[1])
        path = self.scene(", symmetry: x=0 y=0", "  - {body: sheet, set: ymin, fix: y}\n")
        wanted = "restraints: [{body: sheet, on_plane: {point: [0, 0, 0], normal: [1, 0, 0]}, fix: x}]"
        for command in (["check"], ["run", "-o", self.folder / "out"]):
            _, error = self.carom(*command, path)
            self.assertIn(f"7 of the 7 nodes of body 'sheet' in the plane x=0 can leave it: a plane of symmetry requires `{wanted}`", error)
            self.assertNotIn("y=0 can", error)
        # the advice can be followed literally
        path = self.scene(", symmetry: x=0", wanted[len("restraints: "):])
        self.assertNotIn("note", self.carom("check", path)[1])

    def test_clamped_edges_want_restraints(self):
        self.assertNotIn("note", self.carom("check", self.scene(", clamped: xmin", CLAMP))[1])
        _, error = self.carom("check", self.scene(", clamped: xmin xmax", CLAMP))
        self.assertIn("no node of set 'xmax' of body 'sheet' is restrained: a clamped edge cannot rotate, but can move; "
                      "`restraints: [{body: sheet, set: xmax, fix: xyz}]` fixes it", error)
        self.assertNotIn("'xmin'", error)
        _, error = self.carom("check", self.scene(", clamped: all", "  []\n"))
        self.assertIn("no node of any edge of body 'sheet' is restrained", error)


if __name__ == "__main__":
    cli.main()
