# SPDX-License-Identifier: MIT
"""Static analysis by the command: results, failures, refusals."""
import csv
import json
import cli

SCENE = """\
analysis: {analysis}
bodies:
  - name: block
    mesh: {{rectangle: {{from: [0, 0, 0], to: [1, 1, 0], columns: 2, rows: 2}}}}
    element: {{quad4: {{thickness: 1, plane: strain}}}}
    material: {{st-venant-kirchhoff: {{young: 100, poisson: 0, density: 1}}}}
restraints: {restraints}
loads:
  - {{body: block, set: xmax, traction: [{traction}, 0, 0]}}
output:
  fields: {{every: 1}}
  probes: [{{name: end, body: block, set: xmax, record: [displacement]}}]
{more}
"""

SOLVERS = "direct", "cg"
ROLLERS = "[{body: block, set: xmin, fix: x}, {body: block, fix: y}]"


class Static(cli.CommandTest):
    def scene(self, analysis="{static: {steps: 4}}", restraints=ROLLERS, traction=-15, more=""):
        path = self.folder / "scene.yaml"
        text = SCENE.format(analysis=analysis, restraints=restraints, traction=traction, more=more)
        path.write_text(text, encoding="utf-8")
        return path

    def rows(self, name):
        with open(self.folder / "out" / name, encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_has_a_row_per_load_step_and_balanced_books(self):
        self.carom("run", self.scene(), "-o", self.folder / "out", "--quiet")
        rows = self.rows("history.csv")
        self.assertEqual([float(row["time"]) for row in rows], [0, 0.25, 0.5, 0.75, 1])
        # P = E F (F^2 - 1)/2 and W = E (F^2 - 1)^2/8
        for row, probe in zip(rows, self.rows("probes.csv")):
            stretch = 1 + float(probe["end.ux"])
            self.assertAlmostEqual(50 * stretch * (stretch ** 2 - 1), -15 * float(row["time"]), delta=1e-6)
            self.assertAlmostEqual(float(row["internal"]), 12.5 * (stretch ** 2 - 1) ** 2, delta=1e-6)
            self.assertEqual(float(row["kinetic"]), 0)
        summary = cli.result(self.folder / "out")
        self.assertEqual(summary["integrator"], "static")
        self.assertEqual(summary["steps"], 4)
        # the trapezoidal rule of the work: its error falls with the square of the step
        coarse = summary["energy_error"]
        self.carom("run", self.scene("{static: {steps: 16}}"), "-o", self.folder / "out", "--quiet")
        fine = cli.result(self.folder / "out")["energy_error"]
        self.assertLess(fine, coarse / 10)

    def test_keeps_the_last_equilibrium_of_a_run_that_stalls(self):
        _, error = self.carom("run", self.scene(traction=-25), "-o", self.folder / "out", "--quiet", code=3)
        self.assertRegex(error, r"no equilibrium beyond the load factor 0\.76\d*: .*(of body 'block'|singular)")
        self.assertIn("is saved in", error)
        last = float(self.rows("history.csv")[-1]["time"])
        self.assertAlmostEqual(last, 100 / (3 * 3 ** 0.5) / 25, delta=2 / 256 / 4)
        self.assertTrue((self.folder / "out" / "checkpoint.carom").exists())
        frames = (self.folder / "out" / "fields.pvd").read_text().count("<DataSet")
        self.assertEqual(frames, len(self.rows("history.csv")))

    def test_says_which_body_can_move(self):
        scene = self.scene(restraints="[{body: block, set: xmin, fix: x}]")
        _, error = self.carom("check", scene, code=2)
        self.assertRegex(error, r"scene\.yaml:1:\d+: error: analysis: body 'block' can move freely: nothing restrains its "
                                r"translation along \(0, 1, 0\)")

    def test_stands_for_integrator_and_time(self):
        _, error = self.carom("check", self.scene(more="time: {end: 1}"), code=2)
        self.assertIn("'time' cannot be combined with 'analysis'", error)
        _, error = self.carom("check", self.scene(more="integrator: newmark-dcr"), code=2)
        self.assertIn("'integrator' cannot be combined with 'analysis'", error)

    def test_wants_contact_off_between_bodies(self):
        more = "contact: {planes: [{name: floor, point: [0, -1, 0], normal: [0, 1, 0]}]}"
        _, error = self.carom("check", self.scene(more=more), code=2)
        self.assertIn("a static analysis has no contact between bodies", error)

    def test_its_scene_can_be_read_back(self):
        self.carom("run", self.scene(), "-o", self.folder / "out", "--quiet")
        text = (self.folder / "out" / "scene.yaml").read_text()
        self.assertIn("analysis:", text)
        self.assertNotIn("time:", text)
        self.carom("check", self.folder / "out" / "scene.yaml")

    def test_reports_reactions(self):
        for analysis in ("{static: {steps: 2}}", "{static: {linear: true}}"):
            output, _ = self.carom("run", self.scene(analysis), "-o", self.folder / "out")
            self.assertIn("contact: none in a static analysis", output)
            self.assertRegex(output, r"(?m)^  loads +-15 +0 +0$")
            self.assertNotIn("Momentum", output)
            forces = cli.result(self.folder / "out")["forces"]
            for name, want in (("loads", [-15, 0, 0]), ("reactions", [15, 0, 0]),
                               ("load_moment", [0, 0, 7.5]), ("reaction_moment", [0, 0, -7.5])):
                for found, value in zip(forces[name], want):
                    self.assertAlmostEqual(found, value, delta=1e-7, msg=f"{analysis} {name}")
            frame = sorted((self.folder / "out" / "fields").glob("*.vtu"))[-1]
            self.assertIn(b'Name="reaction" NumberOfComponents="3"', frame.read_bytes())
            shown, _ = self.carom("info", self.folder / "out")
            self.assertRegex(shown, r"(?m)^  reactions +15 ")

    def test_balances_each_body_by_itself(self):
        path = self.folder / "bodies.json"
        beam = {"name": "beam", "mesh": {"rectangle": {"from": [0, 0, 0], "to": [10, 0.5, 0], "columns": 40, "rows": 4}},
                "element": {"quad4": {"plane": "stress"}},
                "material": {"st-venant-kirchhoff": {"young": 1200, "poisson": 0, "density": 1}}}
        block = {"name": "block", "mesh": {"rectangle": {"from": [0, 5, 0], "to": [1, 6, 0], "columns": 2, "rows": 2}},
                 "element": {"quad4": {"plane": "stress"}},
                 "material": {"st-venant-kirchhoff": {"young": 2e11, "poisson": 0, "density": 1}}}
        tips = []
        for bodies, on_support in (([beam], 0), ([beam, block], 0), ([beam], 1e9)):
            names = [body["name"] for body in bodies]
            scene = {"analysis": {"static": {"steps": 1}}, "bodies": bodies, "contact": False,
                     "restraints": [{"body": name, "set": "xmin", "fix": "xy"} for name in names],
                     "loads": [{"body": "beam", "set": "xmax", "force": [0, -0.25, 0]}],
                     "output": {"probes": [{"name": "tip", "body": "beam", "nearest": {"to": [10, 0.25, 0]},
                                            "record": ["displacement"]}]}}
            if on_support:
                scene["loads"].append({"body": "beam", "set": "xmin", "force": [0, -on_support, 0]})
            if len(bodies) == 2:
                scene["loads"].append({"body": "block", "set": "xmax", "force": [1e9, 0, 0]})
            path.write_text(json.dumps(scene), encoding="utf-8")
            self.carom("run", path, "-o", self.folder / "out", "--quiet")
            tips.append(float(self.rows("probes.csv")[-1]["tip.uy"]))
        # a stiff body under a load of 1e9 does not make the soft one look balanced
        self.assertAlmostEqual(tips[1], tips[0], delta=1e-6)
        # nor does a load that the support takes at once: the displacement is known to the square root of the tolerance, 3.2e-5
        self.assertAlmostEqual(tips[2], tips[0], delta=3.2e-5 * abs(tips[0]))

    def truss(self, nodes, elements, load, analysis):
        """Bars of E A = 1e4 between nodes; node 2 is loaded along -y, the others are held."""
        (self.folder / "truss.inp").write_text(
            "*NODE\n" + "".join(f"{i + 1},{x},{y},0\n" for i, (x, y) in enumerate(nodes)) + "*ELEMENT,TYPE=T3D2,ELSET=A\n" +
            "".join(f"{i + 1},{a},2\n" for i, a in enumerate(elements)) +
            "*NSET,NSET=held\n" + ",".join(map(str, elements)) + "\n*NSET,NSET=top\n2\n", encoding="utf-8")
        scene = {"analysis": {"static": analysis}, "contact": False,
                 "bodies": [{"name": "truss", "mesh": {"file": {"path": "truss.inp"}},
                             "element": {"bar": {"area": 1, "strain": "green"}},
                             "material": {"linear": {"young": 1e4, "poisson": 0, "density": 1}}}],
                 "restraints": [{"body": "truss", "set": "held", "fix": "xyz"}, {"body": "truss", "set": "top", "fix": "z"}],
                 "loads": [{"body": "truss", "set": "top", "force": [0, -load, 0]}],
                 "output": {"probes": [{"name": "top", "body": "truss", "set": "top", "record": ["displacement"]}]}}
        path = self.folder / "truss.json"
        path.write_text(json.dumps(scene), encoding="utf-8")
        return path

    def test_reports_of_snapping_through(self):
        for solver in SOLVERS:
            with self.subTest(solver=solver):
                self.snap_through(solver)

    def snap_through(self, solver):
        # two bars of the height h: F = E A w (h^2 - w^2)/L^3 at the height w, at most at w = h/sqrt 3
        height, length = 0.1, (1 + 0.1 ** 2) ** 0.5
        limit = 2e4 * height ** 3 / (3 * 3 ** 0.5 * length ** 3)
        arguments = ([(-1, 0), (0, height), (1, 0)], [1, 3], 1.05 * limit)
        _, error = self.carom("run", self.truss(*arguments, {"steps": 4, "solver": solver}), "-o", self.folder / "out", "--quiet", code=3)
        self.assertRegex(error, r"no stable equilibrium beyond the load factor 0\.95.*snaps through")
        reached = float(self.rows("probes.csv")[-1]["time"])
        self.assertLess(reached, 1 / 1.05)
        self.assertGreater(reached, 1 / 1.05 - 2 / 1024)
        summary = cli.result(self.folder / "out")
        self.assertEqual(summary["events"]["lost_stability"], 1)
        self.assertEqual(summary["stability_lost_at"], reached)

        output, error = self.carom("run", self.truss(*arguments, {"steps": 4, "on_event": "warn", "solver": solver}), "-o", self.folder / "out")
        self.assertIn("lost_stability 1", output)
        self.assertIn("note: stability is lost beyond the load factor 0.95", error)
        w = height + float(self.rows("probes.csv")[-1]["top.uy"])
        self.assertLess(w, -height)
        self.assertAlmostEqual(1e4 * w * (height ** 2 - w ** 2) / length ** 3, 1.05 * limit, delta=1e-6 * limit)

    def test_reports_of_buckling(self):
        for solver in SOLVERS:
            with self.subTest(solver=solver):
                self.buckle(solver)

    def buckle(self, solver):
        # a column of length 1 whose top two bars of length 100 hold: they carry 2 E A/100 per length across, the column takes E A |e| of it away, so
        # that e = -0.02; it is loaded with E A |e| sqrt(1 + 2 e)
        critical = 1e4 * 0.02 * 0.96 ** 0.5
        arguments = ([(0, 0), (0, 1), (-100, 1), (100, 1)], [1, 3, 4], 1.25 * critical)
        _, error = self.carom("run", self.truss(*arguments, {"steps": 2, "solver": solver}), "-o", self.folder / "out", "--quiet", code=3)
        self.assertRegex(error, "no stable equilibrium beyond the load factor .* is unstable")
        reached = float(self.rows("probes.csv")[-1]["time"])
        self.assertLess(reached, 0.8)
        self.assertGreater(reached, 0.8 - 2 / 512)
        # the unstable branch goes on straight
        self.carom("run", self.truss(*arguments, {"steps": 2, "on_event": "warn", "solver": solver}), "-o", self.folder / "out", "--quiet")
        self.assertEqual(cli.result(self.folder / "out")["events"]["lost_stability"], 1)
        self.assertAlmostEqual(cli.result(self.folder / "out")["stability_lost_at"], reached)
        # below it nothing is told
        self.carom("run", self.truss(*arguments[:2], 0.99 * critical, {"steps": 1, "solver": solver}), "-o", self.folder / "out", "--quiet")
        self.assertEqual(cli.result(self.folder / "out")["events"]["lost_stability"], 0)

    def test_names_a_mechanism_whatever_the_solver(self):
        # nothing resists the middle of two bars in a row along y
        told = set()
        for solver in SOLVERS:
            scene = self.truss([(-1, 0), (0, 0), (1, 0)], [1, 3], 1, {"solver": solver})
            _, error = self.carom("run", scene, "-o", self.folder / "out", "--quiet", code=2)
            self.assertIn("can move without resistance, for example node 2 of body 'truss' along y", error)
            told.add(error)
        self.assertEqual(len(told), 1)

    def test_conjugate_gradients_lead_to_the_same_equilibrium(self):
        ends = {}
        for solver in SOLVERS:
            self.carom("run", self.scene(f"{{static: {{steps: 4, solver: {solver}}}}}"), "-o", self.folder / "out", "--quiet")
            work = cli.result(self.folder / "out")["solver"]
            self.assertEqual(work["fallbacks"], 0)
            self.assertEqual(work["factorisations"], work["iterations"] if solver == "direct" else 0)
            self.assertEqual(work["linear_iterations"] > work["iterations"], solver == "cg")
            ends[solver] = float(self.rows("probes.csv")[-1]["end.ux"])
        self.assertAlmostEqual(ends["cg"], ends["direct"], delta=1e-12)

    def test_clamps_a_shell_at_one_edge(self):
        path = self.folder / "flap.yaml"
        scene = (
            "analysis: static\n"
            "bodies:\n"
            "  - name: plate\n"
            "    mesh: {rectangle: {from: [0, 0, 0], to: [1, 1, 0], columns: 20, rows: 20, cells: tri3}}\n"
            "    element: {loop-shell: {thickness: 0.01, integration: three-point%s}}\n"
            "    material: {st-venant-kirchhoff: {young: 2.1e+11, poisson: 0, density: 7850}}\n"
            "restraints: [{body: plate, set: xmin, fix: xyz}]\n"
            "loads: [{body: plate, pressure: 300}]\n"
            "output: {probes: [{name: tip, body: plate, nearest: {to: [1, 0.5, 0]}, record: [displacement]}]}\n")
        path.write_text(scene % ", clamped: xmin", encoding="utf-8")
        good, _ = self.carom("check", path)
        self.assertNotIn("can touch", good)
        self.carom("run", path, "-o", self.folder / "out", "--quiet")
        # without Poisson's ratio a plate is a row of beams: q L^4/(8 E I)
        bending = 300 / (8 * 2.1e11 * 0.01 ** 3 / 12)
        self.assertAlmostEqual(float(self.rows("probes.csv")[-1]["tip.uz"]), -bending, delta=0.03 * bending)
        # without the clamp its edge is a hinge
        path.write_text(scene % "", encoding="utf-8")
        _, error = self.carom("check", path, code=2)
        self.assertIn("body 'plate' can move freely: nothing restrains its rotation about the axis (0, 1, 0)", error)


if __name__ == "__main__":
    cli.main()
