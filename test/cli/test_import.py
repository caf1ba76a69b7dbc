#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Decks of Abaqus and CalculiX become scenes that can be checked and run; what is not taken over is named with its line."""
import re
import unittest

import cli

STEEL = "*MATERIAL, NAME=Steel\n*ELASTIC\n210000., 0.3\n*DENSITY\n7.85e-9,\n"
DYNAMIC = "*STEP, NLGEOM\n*DYNAMIC, EXPLICIT\n, 1e-5\n*END STEP\n"

# Nodes of two cubes beside each other, the second one with a roof.
NODES = "*NODE, NSET=NALL\n" + "".join(f"{1 + i + 3 * j + 6 * k}, {i}., {j}., {k}.\n" for k in range(2) for j in range(2) for i in range(3))
CUBE = "1, 1, 2, 5, 4, 7, 8, 11, 10\n"
TETS = "1, 1, 2, 5, 7\n2, 2, 8, 5, 7\n3, 8, 11, 5, 7\n4, 5, 11, 10, 7\n5, 5, 10, 4, 7\n6, 1, 5, 4, 7\n"
PRISMS = "1, 2, 3, 5, 8, 9, 11\n2, 3, 6, 5, 9, 12, 11\n"
FLAT = "*NODE\n1, 0., 0.\n2, 1., 0.\n3, 1., 1.\n4, 0., 1.\n"


def mesh(kind, rows, nodes=NODES):
    return f"{nodes}*ELEMENT, TYPE={kind}, ELSET=EALL\n{rows}"


def solid(size=""):
    return f"*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL\n{size}{chr(10) if size else ''}"


def second_order(corners, count):
    """Elements whose further nodes are all the node 12, which carom leaves out."""
    return "".join(line.rstrip() + ",\n" + ", ".join(["12"] * (count - len(line.split(",")) + 1)) + "\n" for line in corners.splitlines())


HEX = mesh("C3D8", CUBE) + solid() + STEEL
FIX = "*NSET, NSET=LOW\n1, 2, 4, 5\n*BOUNDARY\nLOW, 1, 3\n"
PART = "*PART, NAME=Block\n" + mesh("C3D8R", CUBE) + "*NSET, NSET=Base\n1, 2, 4, 5\n" + solid() + "*END PART\n"
TWO = (PART + "*ASSEMBLY, NAME=A\n*INSTANCE, NAME=Low, PART=Block\n*END INSTANCE\n*INSTANCE, NAME=High, PART=Block\n0, 0, 1.5\n"
       "*END INSTANCE\n*NSET, NSET=Fly, INSTANCE=High\nNALL\n*ELSET, ELSET=_S2, INSTANCE=Low\n1\n*SURFACE, NAME=Top\n_S2, S2\n*END ASSEMBLY\n" + STEEL)

GOOD = {
    "hexahedra": HEX + FIX + DYNAMIC,
    "lower_case": (HEX + FIX + DYNAMIC).lower(),
    "windows": (HEX + FIX + DYNAMIC).replace("\n", "\r\n"),
    "blanks": (HEX + FIX + DYNAMIC).replace(", ", " ,   "),
    "tetrahedra": mesh("C3D4", TETS) + solid() + STEEL + DYNAMIC,
    "tetrahedra_of_second_order": mesh("C3D10M", second_order(TETS, 10)) + solid() + STEEL + DYNAMIC,
    "hexahedra_of_second_order": mesh("C3D20R", second_order(CUBE, 20)) + solid() + STEEL + DYNAMIC,
    "prisms": mesh("C3D6", PRISMS) + solid() + STEEL + DYNAMIC,
    "prisms_beside_hexahedra": mesh("C3D8", CUBE) + "*ELEMENT, TYPE=C3D6, ELSET=EALL\n" + PRISMS.replace("1, 2, 3", "11, 2, 3").replace("2, 3, 6", "12, 3, 6") + solid() + STEEL + DYNAMIC,
    "pyramid": mesh("C3D5", "1, 1, 2, 5, 4, 12\n") + solid() + STEEL + DYNAMIC,
    "shell": mesh("S3", "1, 1, 2, 5\n2, 1, 5, 4\n") + "*SHELL SECTION, ELSET=EALL, MATERIAL=STEEL\n0.01, 5\n" + STEEL + DYNAMIC,
    "membrane": mesh("M3D3", "1, 1, 2, 5\n2, 1, 5, 4\n") + "*MEMBRANE SECTION, ELSET=EALL, MATERIAL=STEEL\n0.01\n" + STEEL + DYNAMIC,
    "plane_stress": mesh("CPS4", "1, 1, 2, 3, 4\n", FLAT) + solid("0.5") + STEEL + DYNAMIC,
    "plane_strain": mesh("CPE3", "1, 1, 2, 3\n2, 1, 3, 4\n", FLAT) + solid() + STEEL + DYNAMIC,
    "truss": mesh("T3D2", "1, 1, 2\n2, 2, 3\n") + solid("0.25") + STEEL + DYNAMIC,
    "part": PART + STEEL + DYNAMIC,
    "instance": PART + "*ASSEMBLY, NAME=A\n*INSTANCE, NAME=Only, PART=Block\n*END INSTANCE\n*END ASSEMBLY\n" + STEEL + "*BOUNDARY\nOnly.Base, ENCASTRE\n" + DYNAMIC,
    "instances": TWO + "*BOUNDARY\nLow.Base, 1, 3\n*INITIAL CONDITIONS, TYPE=VELOCITY\nFly, 3, -1e5\n" + DYNAMIC.replace("*END STEP", "*CONTACT\n*END STEP"),
    "turned": TWO.replace("0, 0, 1.5\n", "0, 0, 2\n0, 0, 0, 0, 0, 1, 30\n") + DYNAMIC,
    "two_parts": PART + PART.replace("Block", "Other").replace("0., 0., 0.", "-0.5, 0., 0.") + STEEL + DYNAMIC,
    "sections": mesh("C3D8", CUBE) + "*ELEMENT, TYPE=C3D8, ELSET=E2\n2, 2, 3, 6, 5, 8, 9, 12, 11\n*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL\n*SOLID SECTION, ELSET=E2, MATERIAL=Soft\n"
                + STEEL + STEEL.replace("Steel", "SOFT").replace("210000.", "1000.") + DYNAMIC,
    "gravity": HEX + FIX + DYNAMIC.replace("*END STEP", "*DLOAD\nEALL, GRAV, 9810., 0, 0, -2.\n*END STEP"),
    "pressure": TWO + DYNAMIC.replace("*END STEP", "*AMPLITUDE, NAME=A1\n0., 0., 1e-6, 1.\n*DSLOAD, AMPLITUDE=A1\nTop, P, 2.\n*END STEP"),
    "forces": HEX + FIX + DYNAMIC.replace("*END STEP", "*NSET, NSET=TOP, GENERATE\n7, 8, 1\n*CLOAD\nTOP, 3, -2.\n11, 1, 4.\n*END STEP"),
    "driven": HEX + DYNAMIC.replace("*END STEP", "*BOUNDARY, TYPE=VELOCITY\nNALL, 1, 1, 3.\n*END STEP"),
    "displaced": HEX + DYNAMIC.replace("*END STEP", "*BOUNDARY\nNALL, 2, , 1e-6\n*END STEP"),
    "static": HEX.replace("*DENSITY\n7.85e-9,\n", "") + FIX + "*STEP\n*STATIC\n0.1, 1.\n*CLOAD\n7, 3, 1.\n*END STEP\n",
    "static_nonlinear": HEX + FIX + "*STEP, NLGEOM=YES\n*STATIC\n*DLOAD\nEall, GRAV, 1., 1., 0., 0.\n*END STEP\n",
    "heading": "*HEADING\nA \"quoted\" title: # {with} signs\n" + HEX + DYNAMIC,
    "friction": TWO + "*SURFACE INTERACTION, NAME=I\n*FRICTION\n0.3\n*CONTACT PAIR, INTERACTION=I\nTop, Top\n" + DYNAMIC,
    "no_step": HEX,
}

BAD = {
    "no_section": (mesh("C3D8", CUBE) + STEEL + DYNAMIC, "deck.inp:1: expected *SOLID SECTION or *SHELL SECTION"),
    "no_material": (HEX.replace("NAME=Steel", "NAME=Iron") + DYNAMIC, "deck.inp:16: there is no *MATERIAL 'STEEL', which the section of 'EALL' names"),
    "no_elastic": (HEX.replace("*ELASTIC\n210000., 0.3\n", "") + DYNAMIC, "deck.inp:17: expected *ELASTIC in material 'Steel', found none"),
    "no_density": (HEX.replace("*DENSITY\n7.85e-9,\n", "") + DYNAMIC, "deck.inp:17: expected *DENSITY in material 'Steel', found none"),
    "word": (HEX.replace("210000.", "stiff") + DYNAMIC, "deck.inp:19:1: expected Young's modulus, found 'stiff'"),
    "poisson": (HEX.replace("0.3\n", "0.5\n") + DYNAMIC, "deck.inp:19:1: expected Poisson's ratio between -1 and 0.5, found 0.5"),
    "modulus": (HEX.replace("210000.", "-1.") + DYNAMIC, "deck.inp:19:1: expected Young's modulus above 0, found -1"),
    "orthotropic": (HEX.replace("*ELASTIC", "*ELASTIC, TYPE=ENGINEERING CONSTANTS") + DYNAMIC, "deck.inp:18:1: material 'Steel' is not isotropic"),
    "density": (HEX.replace("7.85e-9", "0.") + DYNAMIC, "deck.inp:21:1: expected a density above 0, found 0"),
    "elastic_first": (mesh("C3D8", CUBE) + "*ELASTIC\n1., 0.\n", "deck.inp:16:1: expected *MATERIAL before *ELASTIC"),
    "unknown_set": (HEX.replace("SECTION, ELSET=EALL", "SECTION, ELSET=NONE") + DYNAMIC, "deck.inp:16: there is no set of elements 'NONE', which this section names"),
    "no_elset": (HEX.replace("SECTION, ELSET=EALL,", "SECTION,") + DYNAMIC, "deck.inp:16:1: expected ELSET= after *SOLID SECTION"),
    "quadrilateral_shell": (mesh("S4R", "1, 1, 2, 5, 4\n") + "*SHELL SECTION, ELSET=EALL, MATERIAL=STEEL\n0.1\n" + STEEL, "deck.inp:16: 'EALL' is a shell of quadrilaterals (S4); carom has shells of triangles (S3)"),
    "no_thickness": (mesh("S3", "1, 1, 2, 5\n") + "*SHELL SECTION, ELSET=EALL, MATERIAL=STEEL\n" + STEEL, "deck.inp:16: expected the thickness of shell 'EALL'"),
    "axisymmetric": (mesh("CAX4", "1, 1, 2, 3, 4\n", FLAT) + solid() + STEEL, "is axisymmetric, for which carom has no element"),
    "beams": (mesh("B31", "1, 1, 2\n") + solid() + STEEL, "'EALL' has elements (beams) that carom cannot take from a deck"),
    "freedom": (HEX + "*BOUNDARY\nNALL, 0, 3\n", "deck.inp:23:7: expected degrees of freedom from 1 to 6, found 0 to 3"),
    "boundary_word": (HEX + "*BOUNDARY\nNALL, GLUED\n", "deck.inp:23:7: expected a degree of freedom or ENCASTRE, PINNED, XSYMM, ..., found 'GLUED'"),
    "boundary_short": (HEX + "*BOUNDARY\nNALL\n", "deck.inp:23:5: expected a degree of freedom or ENCASTRE, found the end of the line"),
    "cload": (HEX + "*CLOAD\nNALL, 3\n", "deck.inp:23:6: expected a degree of freedom from 1 to 6 and a value"),
    "gravity": (HEX + "*DLOAD\nEALL, GRAV, 9.81\n", "deck.inp:23:12: expected an acceleration and a direction"),
    "direction": (HEX + "*DLOAD\nEALL, GRAV, 9.81, 0, 0, 0\n", "deck.inp:23:12: expected a direction of gravity, found (0, 0, 0)"),
    "friction": (HEX + "*FRICTION\n-0.1\n", "deck.inp:22:1: expected a coefficient of friction of at least 0, found -0.1"),
    "truncated": (HEX[:200], "deck.inp:14:1: expected TYPE= after *ELEMENT"),
    "mixed": (mesh("C3D8", CUBE) + "*ELEMENT, TYPE=C3D4, ELSET=EALL\n2, 3, 6, 9, 12\n" + solid() + STEEL, "'EALL' has cells of 2 types (tet4, hex8)"),
    "mesh": (HEX.replace("10\n", "77\n", 1), "which no *NODE defines"),
}


class Import(cli.CommandTest):
    def make(self, name, deck):
        (self.folder / f"{name}.inp").write_bytes(deck.encode())
        return self.carom("import", f"{name}.inp", "-o", f"{name}.yaml")

    def test_all_scenes_are_sound(self):
        self.assertGreaterEqual(len(GOOD), 30)
        for name, deck in GOOD.items():
            with self.subTest(deck=name):
                out, _ = self.make(name, deck)
                self.assertIn(f"wrote {name}.yaml", out)
                text = (self.folder / f"{name}.yaml").read_text()
                self.assertIn("# Units are those of the deck", text)
                self.carom("check", f"{name}.yaml")

    def test_runs(self):
        for name in ("hexahedra", "prisms", "instances", "forces", "static", "shell", "turned"):
            with self.subTest(deck=name):
                self.make(name, GOOD[name])
                self.carom("run", f"{name}.yaml", "-o", self.folder / "out" / name)
        summary = cli.result(self.folder / "out" / "instances")
        self.assertEqual(summary["integrator"], "newmark-dcr")

    def test_content(self):
        self.make("instances", GOOD["instances"])
        text = (self.folder / "instances.yaml").read_text()
        for line in ("  - name: Low\n", "  - name: High\n", 'group: "High.EALL"', "element: {hex8: {integration: one-point}}",
                     "velocity: [0, 0, -100000]", '{body: Low, set: "Low.Base", fix: xyz}  # line ', "time: {end: 1e-05, step: auto}",
                     "restitution: 0\n  friction: 0\n", "are probably in t, mm, s (N, MPa)"):
            self.assertIn(line, text)
        self.make("forces", GOOD["forces"])
        text = (self.folder / "forces.yaml").read_text()
        self.assertIn('set: "TOP", force: [0, 0, -4]}  # line 32: -2 on each of 2 nodes', text)
        self.assertIn("node: 11, force: [4, 0, 0]", text)
        self.make("static", GOOD["static"])
        text = (self.folder / "static.yaml").read_text()
        self.assertIn("analysis: {static: {steps: 10, linear: true}}", text)
        self.assertIn("has no *DENSITY; 1 is written", text)
        self.make("gravity", GOOD["gravity"])
        self.assertIn("gravity: [0, 0, -9810]", (self.folder / "gravity.yaml").read_text())
        self.make("friction", GOOD["friction"])
        self.assertIn("friction: 0.3", (self.folder / "friction.yaml").read_text())
        self.make("pressure", GOOD["pressure"])
        self.assertIn('{body: Low, set: "Top", pressure: 2, history: [[0, 0], [1e-06, 1]]}', (self.folder / "pressure.yaml").read_text())

    def test_nothing_is_silent(self):
        deck = HEX.replace("*DENSITY", "*PLASTIC\n250., 0.\n*DENSITY") + FIX + (
            "*TIE, NAME=T\na, b\n*RIGID BODY, ELSET=X\n" + DYNAMIC.replace("*END STEP", "*BULK VISCOSITY\n0.06\n*CLOAD\nNALL, 4, 1.\n*DLOAD\nEALL, P1, 3.\n"
            "*OUTPUT, FIELD\n*OUTPUT, HISTORY\n*END STEP") + "*STEP\n*STATIC\n*CLOAD\n1, 1, 1.\n*END STEP\n*BOUNDARY\nGHOST, 1\n")
        _, err = self.make("deck", deck)
        text = (self.folder / "deck.yaml").read_text()
        for line, what in ((20, "*PLASTIC of 'Steel' is not taken over"), (28, "*TIE is not taken over"), (30, "*RIGID BODY is not taken over"),
                           (34, "*BULK VISCOSITY is not taken over"), (37, "a moment or spin about axis 1 of 'NALL' is not taken over"),
                           (39, "*DLOAD P1 is not taken over"), (40, "*OUTPUT (2 times) is not taken over"), (43, "a second *STEP"),
                           (45, "*CLOAD of step 2 is not taken over")):
            self.assertIn(f"carom: note: deck.inp:{line}: {what}", err)
            self.assertRegex(text, rf"#   line {line}: {re.escape(what)}")
        # a set that is on no body
        _, err = self.make("ghost", HEX + "*NODE, NSET=GHOST\n99, 9, 9, 9\n*BOUNDARY\nGHOST, 1\n")
        self.assertIn("note: ghost.inp:25: not taken over: no body has a set or a single node 'GHOST' to hold, move or load", err)

    def test_refused(self):
        for name, (deck, message) in BAD.items():
            with self.subTest(deck=name):
                (self.folder / "deck.inp").write_bytes(deck.encode())
                _, err = self.carom("import", "deck.inp", "-o", f"{name}.yaml", code=2)
                self.assertIn(message, err)
                self.assertFalse((self.folder / f"{name}.yaml").exists())

    def test_files(self):
        self.make("deck", HEX)
        _, err = self.carom("import", "deck.inp", "-o", "deck.yaml", code=2)
        self.assertIn("deck.yaml exists", err)
        out, _ = self.carom("import", "deck.inp")
        self.assertIn('path: "deck.inp"', out)
        _, err = self.carom("import", "none.inp", code=2)
        self.assertIn("cannot read none.inp", err)
        # a scene elsewhere names the deck in full, one above it by its way down
        (self.folder / "sub").mkdir()
        self.carom("import", "deck.inp", "-o", "sub/deck.yaml")
        self.assertIn(f'path: "{(self.folder / "deck.inp").resolve()}"', (self.folder / "sub/deck.yaml").read_text())
        self.carom("check", "sub/deck.yaml")
        # included files are read too
        (self.folder / "sub/steel.inc").write_text(STEEL)
        (self.folder / "sub/whole.inp").write_text(HEX.replace(STEEL, "*INCLUDE, INPUT=steel.inc\n"))
        self.carom("import", "sub/whole.inp", "-o", "whole.yaml")
        self.assertIn('path: "sub/whole.inp"', (self.folder / "whole.yaml").read_text())
        self.carom("check", "whole.yaml")

    def test_touching_parts(self):
        """Nodes of two parts at the same places: one mesh is refused with a hint, two bodies are not."""
        deck = PART + "*ASSEMBLY, NAME=A\n*INSTANCE, NAME=L, PART=Block\n*END INSTANCE\n*INSTANCE, NAME=H, PART=Block\n0, 0, 1\n*END INSTANCE\n*END ASSEMBLY\n" + STEEL + DYNAMIC
        (self.folder / "touching.inp").write_text(deck)
        _, err = self.carom("mesh", "touching.inp", code=2)
        self.assertIn("duplicate nodes", err)
        self.assertIn("parts that touch become bodies of their own by their groups ('", err)
        self.make("touch", deck.replace("*END STEP", "*CONTACT\n*END STEP"))
        self.assertIn("{bodies: [L, H], touch: false}", (self.folder / "touch.yaml").read_text())
        self.carom("run", "touch.yaml", "-o", self.folder / "out")

    # Two bricks, one above the other: `{upper}` are the nodes that the upper one stands on.
    SECTIONS = """\
*NODE
1, 0, 0, 0
2, 1, 0, 0
3, 1, 1, 0
4, 0, 1, 0
5, 0, 0, 1
6, 1, 0, 1
7, 1, 1, 1
8, 0, 1, 1
9, 0, 0, 2
10, 1, 0, 2
11, 1, 1, 2
12, 0, 1, 2
{more}*ELEMENT, TYPE=C3D8, ELSET=Low
1, 1, 2, 3, 4, 5, 6, 7, 8
*ELEMENT, TYPE=C3D8, ELSET=High
2, {upper}, 9, 10, 11, 12
*SOLID SECTION, ELSET=low, MATERIAL=Steel
*SOLID SECTION, ELSET=high, MATERIAL={material}
*MATERIAL, NAME=Steel
*ELASTIC
200, 0.3
*DENSITY
8
*PLASTIC
0.25, 0
*MATERIAL, NAME=Rubber
*ELASTIC
2, 0.4
*DENSITY
1
*HYPERELASTIC
1, 2
*STEP
*DYNAMIC, EXPLICIT
, 0.1
*DLOAD
Low, GRAV, 10, 0, 0, -1
{gravity}*END STEP
"""

    def sections(self, **changes):
        values = dict(more="", upper="5, 6, 7, 8", material="Rubber", gravity="High, GRAV, 10, 0, 0, -1\n")
        _, err = self.make("sections", self.SECTIONS.format(**{**values, **changes}))
        self.carom("check", "sections.yaml")
        text = (self.folder / "sections.yaml").read_text()
        (self.folder / "sections.yaml").unlink()
        return text, err

    def test_sections_of_one_part(self):
        """Sections that share nodes are one body of several materials; those that only touch are bodies of their own."""
        text, err = self.sections()
        self.assertIn('- {set: "Low", material: {st-venant-kirchhoff: {young: 200, poisson: 0.3, density: 8}}}  # Steel', text)
        self.assertIn('- {set: "High", material: {st-venant-kirchhoff: {young: 2, poisson: 0.4, density: 1}}}  # Rubber', text)
        self.assertEqual(text.count("- name:"), 1)
        # once for the body: the nodes between would fall twice as fast
        self.assertEqual(text.count("acceleration: [0, 0, -10]"), 1)
        self.assertIn("- {body: part, acceleration:", text)
        self.assertIn("*PLASTIC of 'Steel' is not taken over: elastoplastic metals are `j2`", err)
        self.assertIn("*HYPERELASTIC is not taken over: rubber is `mooney-rivlin`, `yeoh`, `gent` or `ogden`", err)
        text, err = self.sections(gravity="")
        self.assertIn('- {body: part, set: "Low", acceleration:', text)
        self.assertIn("gravity on a part of body 'part' acts on the nodes of 'Low'", err)
        text, _ = self.sections(material="Steel")
        self.assertIn("    material: {st-venant", text)
        self.assertNotIn("materials:", text)
        apart = "".join(f"{n}, {x}, {y}, 1\n" for n, x, y in ((15, 0, 0), (16, 1, 0), (17, 1, 1), (18, 0, 1)))
        text, _ = self.sections(more=apart, upper="15, 16, 17, 18")
        self.assertEqual(text.count("- name:"), 2)


if __name__ == "__main__":
    cli.main()
