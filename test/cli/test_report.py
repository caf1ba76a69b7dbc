# SPDX-License-Identifier: MIT
"""carom report, carom view, carom run --report: the data in the page are those of the result."""
import json
import math
import os
import stat
import unittest

import cli
import page


def block(n):
    """A unit cube of n^3 hexahedra: points and cells of body 0."""
    m = n + 1
    points = [(i / n, j / n, k / n) for k in range(m) for j in range(m) for i in range(m)]
    number = lambda i, j, k: i + m * (j + m * k)
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    cells = [(12, 0, [number(i + a, j + b, k + c) for a, b, c in corners])
             for k in range(n) for j in range(n) for i in range(n)]
    return points, cells


class ReportTest(cli.CommandTest):
    def setUp(self):
        super().setUp()
        self.template = self.folder / "template.html"
        self.template.write_text(page.TEMPLATE, encoding="utf-8")
        self.environment = {**os.environ, "CAROM_VIEWER": str(self.template)}
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
            self.environment.pop(name, None)

    def report(self, *arguments, code=0):
        return self.carom("report", *arguments, code=code, env=self.environment)

    def run_scene(self, *arguments, **keywords):
        self.carom("run", self.scene(end=3, frames=20, **keywords), "-o", "out", "-q", *arguments, env=self.environment)
        return self.folder / "out"

    def page_of(self, result, *arguments):
        self.report(result, *arguments)
        return page.payload(result / "report.html")

    # ---- a run ----

    def test_motion_is_that_of_the_frames(self):
        out = self.run_scene()
        data = self.page_of(out)
        self.assertEqual((data["format"], data["kind"], data["title"], data["table"]), (4, "run", "Two bars", None))
        run, = data["runs"]
        self.assertEqual((run["name"], run["integrator"], run["failure"], run["space"]), ("out", "newmark-dcr", None, 3))
        bodies, frames = run["bodies"], run["frames"]
        self.assertEqual([b["name"] for b in bodies], ["left", "right", "ball"])
        self.assertEqual([b["shape"] for b in bodies], ["lines", "lines", "points"])
        self.assertEqual([b["dimension"] for b in bodies], [1, 1, 0])
        self.assertEqual([b["nodes"] for b in bodies], [[0, 21], [21, 21], [42, 1]])
        self.assertEqual([b["edges"] for b in bodies], [None] * 3)
        self.assertAlmostEqual(bodies[0]["radius"], math.sqrt(1 / math.pi))
        self.assertIsNone(bodies[2]["radius"])
        self.assertEqual(page.numbers(bodies[1]["cells"], "i"), [n for i in range(21, 41) for n in (i, i + 1)])
        self.assertEqual(page.numbers(bodies[2]["cells"], "i"), [42])

        times = [0, 1, 2, 3]
        self.assertEqual(len(frames["times"]), 4)
        for found, wanted in zip(frames["times"], times):
            self.assertAlmostEqual(found, wanted)
        self.assertEqual((frames["nodes"], frames["dropped"]), (43, 0))
        positions, box, shift = page.positions(frames), frames["box"], frames["shift"]
        self.assertEqual(len(positions), 4 * 43 * 3)
        everything = []
        fields = {f["name"]: f for f in frames["fields"]}
        self.assertEqual(list(fields), ["speed", "displacement", "impulse", "axial_strain", "axial_stress", "max_von_mises",
                                        "max_principal"])
        speeds, slowest = page.numbers(fields["speed"]["values"], "H"), fields["speed"]["range"][0]
        widest = fields["speed"]["range"][1] - slowest
        for i in range(4):
            vtu = page.read_vtu(out / f"fields/frame_{i:06d}.vtu")
            exact, velocity = vtu["Points", "position"], vtu["PointData", "velocity"]
            everything += exact
            for k, x in enumerate(exact):
                self.assertLessEqual(abs(positions[i * 129 + k] - x), 0.5001 * (shift[3 + k % 3] - shift[k % 3]) / 65535 + 1e-14)
            for k in range(43):
                speed = math.dist(velocity[3 * k:3 * k + 3], (0, 0, 0))
                self.assertLessEqual(abs(slowest + widest * speeds[i * 43 + k] / 65535 - speed), 0.5001 * widest / 65535)
        self.assertEqual(box, [pick(everything[axis::3]) for pick in (min, max) for axis in range(3)])

    def test_cell_fields_become_means_at_nodes(self):
        out = self.run_scene()
        frames = self.page_of(out)["runs"][0]["frames"]
        field = next(f for f in frames["fields"] if f["name"] == "axial_stress")
        vtu = page.read_vtu(out / "fields/frame_000003.vtu")
        cells = vtu["CellData", "axial_stress"]
        self.assertGreater(max(map(abs, cells)), 0)
        low, high = field["range"]
        shown = [low + (high - low) * v / 65535 for v in page.numbers(field["values"], "H")[3 * 43:]]
        exact = []
        for bar in (cells[:20], cells[20:40]):
            exact += [bar[0]] + [(a + b) / 2 for a, b in zip(bar, bar[1:])] + [bar[-1]]
        for found, wanted in zip(shown, exact + [0]):
            self.assertLessEqual(abs(found - wanted), 0.5001 * (high - low) / 65535)

    def test_tables_summary_and_scene_are_those_of_the_result(self):
        out = self.run_scene()
        run, = self.page_of(out)["runs"]
        for name in ("history", "probes"):
            self.assertEqual(page.table(run[name]), page.csv(out / f"{name}.csv"))
        self.assertIsNone(run["contacts"])
        self.assertEqual(run["summary"], cli.result(out))
        self.assertEqual(run["scene"], (out / "scene.yaml").read_text(encoding="utf-8"))

    def test_copies_have_their_names(self):
        scene = self.folder / "balls.yaml"
        scene.write_text("integrator: newmark-dcr\ntime: {end: 1, step: 0.1}\nbodies:\n"
                         "  - {name: ball, mesh: {point: {at: [0, 0, 0]}}, element: {point-mass: {mass: 1}},\n"
                         "     array: {copies: [2, 1, 2], spacing: [1, 1, 1]}}\n"
                         "  - {name: last, mesh: {point: {at: [9, 0, 0]}}, element: {point-mass: {mass: 1}}}\n",
                         encoding="utf-8")
        self.carom("run", scene, "-o", "balls", "-q")
        run, = self.page_of(self.folder / "balls")["runs"]
        self.assertEqual([b["name"] for b in run["bodies"]], ["ball_0", "ball_1", "ball_2", "ball_3", "last"])

    def test_beams_show_their_skin(self):
        scene = self.folder / "beam.yaml"
        scene.write_text("integrator: multisymplectic\ntime: {end: 1.0e-3, step: 1.0e-4}\nbodies:\n"
                         "  - name: beam\n    mesh: {line: {from: [0, 0, 0], to: [1, 0, 0], elements: 5}}\n"
                         "    element: {exact-beam: {section: rectangle, width: 0.1, height: 0.2}}\n"
                         "    material: {linear: {young: 1000, poisson: 0.3, density: 1}}\n", encoding="utf-8")
        self.carom("run", scene, "-o", "beam", "-q")
        run, = self.page_of(self.folder / "beam")["runs"]
        body, = run["bodies"]
        # six rings of four points; four sides of five elements, two caps
        self.assertEqual((body["shape"], body["dimension"], body["nodes"]), ("triangles", 1, [0, 24]))
        self.assertEqual(len(page.numbers(body["cells"], "i")), 3 * (2 * 4 * 5 + 2 * 2))
        self.assertEqual(len(page.numbers(body["edges"], "i")), 2 * (4 * 6 + 4 * 5))
        self.assertEqual(run["space"], 3)

    def test_shells_show_their_triangles_and_fields(self):
        scene = self.folder / "shells.yaml"
        shell = ("    element: {loop-shell: {thickness: 0.05}}\n"
                 "    material: {st-venant-kirchhoff: {young: 1000, poisson: 0.3, density: 1}}\n")
        scene.write_text("integrator: newmark-dcr\ntime: {end: 0.02, step: 1.0e-3}\nbodies:\n"
                         "  - name: ball\n    mesh: {sphere: {radius: 1, faces: 128}}\n    place: {translate: [0, 0, 1.01]}\n"
                         "    velocity: [0, 0, -2]\n" + shell +
                         "  - name: sheet\n    mesh: {hexagonal-disc: {radius: 2, rings: 4}}\n" + shell +
                         "output: {fields: {every: 10}}\n", encoding="utf-8")
        self.carom("run", scene, "-o", "shells", "-q")
        run, = self.page_of(self.folder / "shells")["runs"]
        # closed and open: all triangles and all edges, each once
        for body, nodes, faces, edges in zip(run["bodies"], (66, 61), (128, 96), (192, 156)):
            self.assertEqual((body["shape"], body["dimension"], body["nodes"][1]), ("triangles", 2, nodes))
            self.assertEqual(len(page.numbers(body["cells"], "i")), 3 * faces)
            self.assertEqual(len(page.numbers(body["edges"], "i")), 2 * edges)
        names = {f["name"] for f in run["frames"]["fields"]}
        self.assertLessEqual({"von_mises_nodes", "thickness_nodes", "membrane_energy_nodes", "bending_energy_nodes"}, names)

    # ---- surfaces ----

    def volume(self, run, body, frame=0):
        frames = run["frames"]
        n = frames["nodes"]
        x = page.positions(frames)[3 * n * frame:3 * n * (frame + 1)]
        at = lambda k: x[3 * k:3 * k + 3]
        nodes, total = page.numbers(body["cells"], "i"), 0
        for i in range(0, len(nodes), 3):
            a, b, c = (at(k) for k in nodes[i:i + 3])
            total += (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
                      a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
        return total

    def test_surface_of_hexahedra(self):
        points, cells = block(3)
        out = page.write_result(self.folder / "cube", [(points, cells)])
        run, = self.page_of(out)["runs"]
        body, = run["bodies"]
        # 4^3 points less 2^3 inside; 6 * 9 faces; a quadrilateral surface of genus 0 has V + F - 2 edges
        self.assertEqual((body["shape"], body["dimension"], body["nodes"]), ("triangles", 3, [0, 56]))
        self.assertEqual(len(page.numbers(body["cells"], "i")), 3 * 2 * 54)
        edges = page.numbers(body["edges"], "i")
        self.assertEqual(len(edges), 2 * (56 + 54 - 2))
        self.assertEqual(len({frozenset(edges[i:i + 2]) for i in range(0, len(edges), 2)}), 108)
        # faces look outward
        self.assertAlmostEqual(self.volume(run, body), 1, places=3)

    def test_inside_of_solids_follows_the_surface(self):
        points, cells = block(3)
        frames = [(points, cells, [("von_mises_nodes", 1, [k * f for k in range(64)])], [("von_mises", 1, [0] * 27)])
                  for f in (0, 1)]
        out = page.write_result(self.folder / "cube", frames)
        run, = self.page_of(out)["runs"]
        body, = run["bodies"]
        self.assertEqual((body["nodes"], body["inner"], body["tetrahedra"]), ([0, 56], [56, 8], None))
        number = page.numbers(run["frames"]["points"], "i")
        self.assertEqual(sorted(number), list(range(64)))
        # each cell has the points that the frame gives it, in its order
        hexes = [number[k] for k in page.numbers(body["hexahedra"], "i")]
        self.assertEqual(hexes, [k for _, _, nodes in cells for k in nodes])
        inside = {i + 4 * (j + 4 * k) for i in (1, 2) for j in (1, 2) for k in (1, 2)}
        self.assertEqual(set(number[56:]), inside)
        field, = (f for f in run["frames"]["fields"] if f["name"] == "von_mises_nodes")
        values = page.numbers(field["values"], "H")[64:]
        self.assertEqual([round(63 * v / 65535) for v in values], number)
        # a page that is too small for it has the surface only, and says so
        size = (out / "report.html").stat().st_size
        _, err = self.report(out, "--max-size", str(0.85e-6 * size))
        self.assertIn("the inside of solids is left out", err)
        run, = page.payload(out / "report.html")["runs"]
        body, = run["bodies"]
        self.assertEqual((run["frames"]["nodes"], body["inner"][1], body["hexahedra"]), (56, 0, None))
        self.assertEqual(len(run["frames"]["times"]), 2)

    def test_forces_are_those_of_the_frames(self):
        points, cells = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(5, 0, [0, 1, 2])]
        frames = [(points, cells, [("contact_force", 3, force)]) for force in
                  ([0] * 9, [0, 0, 0, 1.5, -2, 0.25, 0, 0, 0], [3, 0, 0, 0, 0, 0, float("nan"), 0, 0])]
        run, = self.page_of(page.write_result(self.folder / "forces", frames))["runs"]
        words, singles = page.numbers(run["frames"]["arrows"], "i"), page.numbers(run["frames"]["arrows"], "f")
        self.assertEqual([words[i] for i in (0, 1, 2, 6, 7)], [0, 1, 1, 1, 0])
        self.assertEqual(singles[3:6] + singles[8:], [1.5, -2, 0.25, 3, 0, 0])

    def test_planes_and_forces_of_a_run(self):
        scene = self.folder / "drop.yaml"
        scene.write_text("integrator: newmark-dcr\ntime: {end: 1, step: 0.01}\ngravity: [0, 0, -10]\nbodies:\n"
                         "  - {name: ball, mesh: {point: {at: [0, 0, 1]}}, element: {point-mass: {mass: 1}}}\n"
                         "contact: {restitution: 0.5, planes: [{name: floor, normal: [0, 0, 2]}, "
                         "{name: wall, point: [5, 0, 0], normal: [-1, 0, 0]}]}\n"
                         "output: {history: {every: 1, pairs: true}}\n", encoding="utf-8")
        self.carom("run", scene, "-o", "drop", "-q")
        run, = self.page_of(self.folder / "drop")["runs"]
        self.assertEqual(run["planes"], [{"name": "floor", "point": [0, 0, 0], "normal": [0, 0, 2]},
                                         {"name": "wall", "point": [5, 0, 0], "normal": [-1, 0, 0]}])
        lines = (self.folder / "drop/pairs.csv").read_text(encoding="utf-8").splitlines()
        self.assertEqual((run["pairs"]["names"], run["pairs"]["rows"]), (lines[0].split(","), len(lines) - 1))
        self.assertEqual(run["pairs"]["columns"][2]["text"][0], "floor")
        self.assertIsNotNone(run["frames"]["arrows"])

    def test_surface_of_tetrahedra(self):
        points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]
        cells = [(10, 0, [0, 1, 2, 3]), (10, 0, [1, 2, 3, 4])]
        run, = self.page_of(page.write_result(self.folder / "tets", [(points, cells)]))["runs"]
        body, = run["bodies"]
        self.assertEqual(body["nodes"], [0, 5])
        self.assertEqual(len(page.numbers(body["cells"], "i")), 3 * 6)
        self.assertEqual(len(page.numbers(body["edges"], "i")), 2 * 9)
        self.assertAlmostEqual(self.volume(run, body), 1 / 6 + 1 / 3, places=3)

    def test_bodies_of_all_kinds(self):
        solid, cells = block(1)
        points = solid + [(2, 0, 0), (3, 0, 0), (3, 1, 0), (2, 1, 0), (4, 0.5, 0), (5, 0, 0), (6, 0, 0), (7, 0, 0)]
        cells = [(1, 3, [15])] + cells + [(9, 1, [8, 9, 10, 11]), (5, 1, [9, 12, 10]), (3, 2, [13, 14])]
        run, = self.page_of(page.write_result(self.folder / "all", [(points, cells)]))["runs"]
        found = [(b["name"], b["shape"], b["dimension"], b["nodes"]) for b in run["bodies"]]
        self.assertEqual(found, [("body 0", "triangles", 3, [0, 8]), ("body 1", "triangles", 2, [8, 5]),
                                 ("body 2", "lines", 1, [13, 2]), ("body 3", "points", 0, [15, 1])])
        shell = run["bodies"][1]
        self.assertEqual(len(page.numbers(shell["cells"], "i")), 3 * 3)
        self.assertEqual(len(page.numbers(shell["edges"], "i")), 2 * 6)

    def test_space(self):
        for name, points, space in (("one", [(0, 5, 5), (1, 5, 5)], 1), ("two", [(0, 0, 5), (1, 1, 5)], 2),
                                    ("three", [(0, 0, 0), (1, 0, 1)], 3)):
            out = page.write_result(self.folder / name, [(points, [(3, 0, [0, 1])])])
            self.assertEqual(self.page_of(out)["runs"][0]["space"], space)

    def test_tensors(self):
        points, cells = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(5, 0, [0, 1, 2])]
        data = [("stress", 6, [3, 0, 0, 0, 0, 2]), ("principal_strain", 3, [-1, 5, 2]), ("force", 3, [2, 3, 6]), ("none", 1, [0])]
        frame = (points, cells, [("velocity", 3, [3, 4, 0] * 3), ("displacement", 3, [0] * 9)], data)
        run, = self.page_of(page.write_result(self.folder / "tensors", [frame]))["runs"]
        ranges = {f["name"]: f["range"] for f in run["frames"]["fields"]}
        # von Mises of s and shear t: sqrt(s^2 + 3 t^2); fields that are zero everywhere are left out
        self.assertEqual(ranges, {"speed": [5, 5], "displacement": [0, 0], "stress_mises": [math.sqrt(21)] * 2,
                                  "stress_xx": [3, 3], "stress_xz": [2, 2],
                                  "principal_strain_largest": [5, 5], "principal_strain_smallest": [-1, -1], "force": [7, 7]})

    def test_means_at_nodes_of_the_frames_are_taken(self):
        points, cells = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (9, 9, 0)], [(5, 0, [0, 1, 2]), (5, 0, [1, 3, 2])]
        frame = (points, cells, [("von_mises_nodes", 1, [1, 2, 3, 4])], [("von_mises", 1, [7, 9])])
        run, = self.page_of(page.write_result(self.folder / "nodal", [frame]))["runs"]
        field, = (f for f in run["frames"]["fields"] if f["name"].startswith("von_mises"))
        self.assertEqual((field["name"], field["label"], field["range"]), ("von_mises_nodes", "von_mises_nodes", [1, 4]))
        self.assertEqual(page.numbers(field["values"], "H"), [0, 21845, 43690, 65535])

    def test_bodies_without_a_field(self):
        # a triangle under stress, one without, and a point mass: zeros of the point are no values, those of the triangle are
        points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (5, 0, 0), (6, 0, 0), (5, 1, 0), (9, 9, 9)]
        cells = [(5, 0, [0, 1, 2]), (5, 1, [3, 4, 5]), (1, 2, [6])]
        frame = (points, cells, [("velocity", 3, [0] * 21)], [("von_mises", 1, [7, 0, 0])])
        run, = self.page_of(page.write_result(self.folder / "mixed", [frame]))["runs"]
        fields = {f["name"]: (f["bodies"], f["range"]) for f in run["frames"]["fields"]}
        self.assertEqual(fields, {"speed": ([0, 1, 2], [0, 0]), "von_mises": ([0, 1], [0, 7])})
        # without the triangle at rest zero is no value of the field at all
        points, cells = points[:3] + points[6:], [(5, 0, [0, 1, 2]), (1, 1, [3])]
        frame = (points, cells, [], [("von_mises", 1, [7, 0])])
        run, = self.page_of(page.write_result(self.folder / "alone", [frame]))["runs"]
        self.assertEqual([(f["bodies"], f["range"]) for f in run["frames"]["fields"]], [([0], [7, 7])])

    def test_damping_is_in_the_page(self):
        scene = self.scene(end=1, frames=10)
        text = scene.read_text(encoding="utf-8").replace("  - name: left\n", "  - name: left\n    damping: {mass: 0.5}\n")
        scene.write_text(text, encoding="utf-8")
        self.carom("run", scene, "-o", "out", "-q")
        run, = self.page_of(self.folder / "out")["runs"]
        self.assertGreater(page.table(run["history"])["damping"][-1], 0)

    # ---- size ----

    def test_fields_go_before_frames(self):
        points, cells = block(4)
        n, cell_count = len(points), len(cells)
        stress = [float(i % 7) for i in range(6 * cell_count)]
        frames = [(points, cells, [("velocity", 3, [float(i)] * 3 * n)],
                   [("stress", 6, stress), ("von_mises", 1, [1.0 + i] * cell_count), ("principal_stress", 3, stress[:3 * cell_count])])
                  for i in range(40)]
        out = page.write_result(self.folder / "wide", frames)
        run, = self.page_of(out)["runs"]
        components = [f"stress_{c}" for c in ("xx", "yy", "zz", "xy", "yz", "xz")]
        principal = ["principal_stress_largest", "principal_stress_smallest"]
        self.assertEqual([f["name"] for f in run["frames"]["fields"]], ["speed", *components, "von_mises", *principal])
        whole = (out / "report.html").stat().st_size
        _, err = self.report(out, "--max-size", str(0.7e-6 * whole))
        self.assertIn("fields are left out to keep the page below", err)
        frames = page.payload(out / "report.html")["runs"][0]["frames"]
        self.assertEqual((len(frames["times"]), frames["dropped"]), (40, 0))
        self.assertLess(set(frames["omitted"]), {*components, *principal})
        self.assertNotIn("principal_stress_largest", frames["omitted"])
        self.assertLess((out / "report.html").stat().st_size, 0.7 * whole)
        self.report(out, "--max-size", str(0.2e-6 * whole))
        frames = page.payload(out / "report.html")["runs"][0]["frames"]
        self.assertEqual([f["name"] for f in frames["fields"]], ["speed", "von_mises"])
        self.assertGreater(frames["dropped"], 0)

    def test_large_pages_are_thinned(self):
        points, cells = block(4)
        frames = [([(x + i, y, z) for x, y, z in points], cells) for i in range(101)]
        out = page.write_result(self.folder / "many", frames)
        _, err = self.report(out)
        # frames without any field say so, and nothing else
        self.assertRegex(err, r"\Acarom: note: the frames have no field to colour by[^\n]*\n\Z")
        whole = (out / "report.html").stat().st_size
        self.assertEqual(page.payload(out / "report.html")["runs"][0]["frames"]["dropped"], 0)
        _, err = self.report(out, "--max-size", "0.035")
        self.assertIn("frames are left out to keep the page below 0.035 MB", err)
        size = (out / "report.html").stat().st_size
        self.assertLess(size, 35000)
        self.assertGreater(size, 20000)
        self.assertLess(size, whole)
        frames = page.payload(out / "report.html")["runs"][0]["frames"]
        times = frames["times"]
        self.assertEqual((times[0], times[-1], len(times) + frames["dropped"]), (0, 100, 101))
        gaps = [b - a for a, b in zip(times, times[1:])]
        self.assertLessEqual(max(gaps) - min(gaps), 1)
        # what is kept is where its time says
        n, x = frames["nodes"], page.positions(frames)
        self.assertEqual(len(x), 3 * n * len(times))
        for i, time in enumerate(times):
            self.assertAlmostEqual(x[3 * n * i], time, places=2)
        # two frames remain whatever is asked for
        _, err = self.report(out, "--max-size", "0.001")
        self.assertIn("no more frames could be left out", err)
        self.assertEqual(page.payload(out / "report.html")["runs"][0]["frames"]["times"], [0, 100])

    def test_long_tables_are_thinned(self):
        out = page.write_result(self.folder / "long", [([(0, 0, 0)], [(1, 0, [0])])])
        rows = "".join(f"{i},{','.join('1' * 16)}\n" for i in range(50001))
        (out / "history.csv").write_text(f"{page.COLUMNS}\n{rows}", encoding="utf-8")
        _, err = self.report(out)
        self.assertIn("are left out", err)
        run, = page.payload(out / "report.html")["runs"]
        time = page.table(run["history"])["time"]
        self.assertLessEqual(len(time), 20001)
        self.assertEqual(run["skipped"], 50001 - len(time))
        self.assertEqual((time[0], time[-1]), (0, 50000))
        self.assertLessEqual(max(b - a for a, b in zip(time, time[1:])), 6)

    def test_thinned_tables_keep_their_extremes(self):
        out = page.write_result(self.folder / "long", [([(0, 0, 0)], [(1, 0, [0])])])
        count = 60000
        columns = {name: [0.0] * count for name in page.COLUMNS.split(",")}
        columns["time"] = list(range(count))
        # single rows that no regular choice would meet, one upwards and one downwards, in each of the columns
        for c, name in enumerate(page.COLUMNS.split(",")[1:], 1):
            columns[name][1237 * c + 1] = c
            columns[name][1237 * c + 31001] = -c
        rows = "".join(",".join(map(str, row)) + "\n" for row in zip(*columns.values()))
        (out / "history.csv").write_text(f"{page.COLUMNS}\n{rows}", encoding="utf-8")
        self.report(out)
        history = page.table(page.payload(out / "report.html")["runs"][0]["history"])
        self.assertLess(len(history["time"]), 20001)
        self.assertEqual(history["time"], sorted(set(history["time"])))
        for c, name in enumerate(page.COLUMNS.split(",")[1:], 1):
            self.assertEqual((max(history[name]), min(history[name])), (c, -c), name)
            self.assertEqual(history["time"][history[name].index(c)], 1237 * c + 1)

    def test_bad_sizes(self):
        out = self.run_scene()
        for size in ("0", "-1", "much", "nan", ""):
            _, err = self.report(out, f"--max-size={size}", code=2)
            self.assertIn("--max-size expects a number of megabytes", err)

    # ---- what may be missing or strange ----

    def test_hostile_texts(self):
        title = "</script><script>alert('1')</script><!-- \\ \" & ü"
        scene = self.scene(end=1, frames=10)
        text = scene.read_text(encoding="utf-8").replace("Two bars", json.dumps(title, ensure_ascii=False))
        scene.write_text(f"# </script>\n{text}", encoding="utf-8")
        self.carom("run", scene, "-o", "out", "-q")
        data = self.page_of(self.folder / "out")
        self.assertEqual(data["title"], title)
        self.assertEqual(data["runs"][0]["summary"]["title"], title)
        self.assertIn("</script>", data["runs"][0]["scene"])

    def test_contacts_may_hold_text(self):
        out = self.run_scene()
        (out / "contacts.csv").write_text("time,kind,x\n0.5,end-end,1.5\n1,<b>,-2\n", encoding="utf-8")
        contacts = self.page_of(out)["runs"][0]["contacts"]
        self.assertEqual((contacts["rows"], contacts["names"]), (2, ["time", "kind", "x"]))
        self.assertEqual(page.numbers(contacts["columns"][0]["f64"], "d"), [0.5, 1])
        self.assertEqual(contacts["columns"][1]["text"], ["end-end", "<b>"])
        self.assertEqual(page.numbers(contacts["columns"][2]["f64"], "d"), [1.5, -2])

    def test_a_killed_run_has_a_page(self):
        out = self.run_scene()
        (out / "summary.json").unlink()
        history = (out / "history.csv").read_text(encoding="utf-8")
        (out / "history.csv").write_text(history[:-5], encoding="utf-8")
        data = self.page_of(out)
        self.assertEqual(data["title"], "out")
        run, = data["runs"]
        self.assertIsNone(run["summary"])
        # half a row is no row
        self.assertEqual(run["history"]["rows"], len(history.splitlines()) - 2)
        self.assertEqual([b["name"] for b in run["bodies"]], ["left", "right", "ball"])

    def test_runs_without_frames(self):
        self.carom("run", self.scene(end=1), "-o", "out", "-q")
        run, = self.page_of(self.folder / "out")["runs"]
        self.assertEqual((run["bodies"], run["frames"]["times"], run["frames"]["nodes"]), ([], [], 0))
        (self.folder / "out/fields.vtkhdf").write_bytes(b"\x89HDF\r\n\x1a\n")
        _, err = self.report("out")
        self.assertIn("the page shows no motion: carom reads no .vtkhdf files", err)

    def test_no_result(self):
        (self.folder / "empty").mkdir()
        for name, message in (("empty", "holds no result of carom"), ("nowhere", "No such file")):
            _, err = self.report(name, code=2)
            self.assertIn(message, err)
        (self.folder / "empty/history.csv").write_text("my,own\n", encoding="utf-8")
        _, err = self.report("empty", code=2)
        self.assertIn("was not written by carom", err)

    def test_damaged_frames(self):
        out = self.run_scene()
        frame = out / "fields/frame_000002.vtu"
        whole = frame.read_bytes()
        frame.write_bytes(whole[:len(whole) // 2])
        for damage, message in ((lambda: None, "frame_000002.vtu"), (lambda: frame.write_bytes(b"no frame"), "not a frame written by carom"),
                                (frame.unlink, "No such file")):
            damage()
            _, err = self.report(out)
            self.assertIn("1 frame cannot be read and is left out", err)
            self.assertIn(message, err)
            frames = page.payload(out / "report.html")["runs"][0]["frames"]
            self.assertEqual(([round(t) for t in frames["times"]], frames["damaged"]), ([0, 1, 3], 1))
        # the first one that is whole gives the mesh
        (out / "fields/frame_000000.vtu").unlink()
        _, err = self.report(out)
        self.assertIn("2 frames cannot be read and are left out", err)
        frames = page.payload(out / "report.html")["runs"][0]["frames"]
        self.assertEqual([round(t) for t in frames["times"]], [1, 3])
        exact = page.read_vtu(out / "fields/frame_000003.vtu")["Points", "position"]
        for x, wanted in zip(page.positions(frames)[3 * frames["nodes"]:], exact):
            self.assertAlmostEqual(x, wanted, places=4)
        for path in (out / "fields").iterdir():
            path.unlink()
        _, err = self.report(out)
        self.assertEqual(page.payload(out / "report.html")["runs"][0]["frames"]["times"], [])

    def test_cells_that_make_no_sense(self):
        points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
        for i, cell in enumerate([(5, 0, [0, 1, 3]), (5, 0, [0, 1, -1]), (5, -1, [0, 1, 2]), (5, 9, [0, 1, 2]),
                                  (99, 0, [0, 1, 2]), (5, 0, [0, 1]), (12, 0, [0, 1, 2]), (7, 0, [0, 1])]):
            out = page.write_result(self.folder / f"bad{i}", [(points, [cell])])
            _, err = self.report(out, code=2)
            self.assertIn("cell 0 is not valid", err)

    def test_frames_must_have_one_mesh(self):
        first = ([(0, 0, 0), (1, 0, 0)], [(3, 0, [0, 1])])
        second = ([(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(3, 0, [0, 1])])
        out = page.write_result(self.folder / "changed", [first, second])
        _, err = self.report(out)
        self.assertIn("1 frame cannot be read and is left out", err)
        self.assertIn("has a different mesh from the first frame", err)
        self.assertEqual(page.payload(out / "report.html")["runs"][0]["frames"]["times"], [0])

    def test_templates(self):
        out = self.run_scene()
        for text in ("<html></html>", page.TEMPLATE + page.MARK):
            self.template.write_text(text, encoding="utf-8")
            _, err = self.report(out, code=2)
            self.assertIn("is not a template of the report page", err)
        self.template.unlink()
        _, err = self.report(out, code=2)
        self.assertIn("CAROM_VIEWER", err)
        self.assertFalse((out / "report.html").exists())

    def test_output_elsewhere(self):
        out = self.run_scene()
        printed, _ = self.report(out, "-o", "my page.html")
        self.assertEqual(printed, "my page.html\n")
        self.assertEqual(page.payload(self.folder / "my page.html")["runs"][0]["name"], "out")
        before = (out / "history.csv").read_bytes()
        for name in ("history.csv", "scene.yaml", "summary.json", "probes.csv", "fields.pvd", "fields/frame_000000.vtu"):
            _, err = self.report(out, "-o", out / name, code=2)
            self.assertIn("has the name of a file of a result", err)
        self.assertEqual((out / "history.csv").read_bytes(), before)
        _, err = self.report(out, "-o", "nowhere/page.html", code=2)
        self.assertIn("cannot write nowhere/page.html", err)

    # ---- the other ways to a page ----

    def test_view_without_a_display(self):
        out = self.run_scene()
        printed, _ = self.carom("view", "out", "-o", "a b.html", env=self.environment)
        self.assertEqual(printed.splitlines(), ["a b.html", (self.folder / "a b.html").resolve().as_uri()])

    def test_view_starts_the_browser(self):
        self.run_scene()
        browser, told = self.folder / "browser", self.folder / "told"
        browser.write_text(f'#!/bin/sh\nprintf %s "$1" >"{told}.part"\nmv "{told}.part" "{told}"\n', encoding="utf-8")
        browser.chmod(browser.stat().st_mode | stat.S_IXUSR)
        printed, _ = self.carom("view", "out", env={**self.environment, "BROWSER": f"{browser}:other"})
        self.assertEqual(printed, "out/report.html\n")
        cli.wait_for(told.exists)
        self.assertEqual(told.read_text(encoding="utf-8"), (self.folder / "out/report.html").resolve().as_uri())
        printed, err = self.carom("view", "out", env={**self.environment, "BROWSER": "/no/such/browser"})
        self.assertIn("cannot start /no/such/browser", err)
        self.assertIn("file://", printed)

    def test_run_with_report(self):
        scene = self.scene(end=1, frames=10)
        printed, _ = self.carom("run", scene, "-o", "out", "--report", env=self.environment)
        self.assertIn("report in out/report.html", printed)
        data = page.payload(self.folder / "out/report.html")
        self.assertEqual(data["runs"][0]["summary"], cli.result(self.folder / "out"))
        # a run that is complete gets its page, too
        (self.folder / "out/report.html").unlink()
        printed, _ = self.carom("run", scene, "-o", "out", "--resume", "--report", env=self.environment)
        self.assertIn("nothing to do", printed)
        self.assertEqual(page.payload(self.folder / "out/report.html"), data)
        # the next run says that the page is not its own
        _, err = self.carom("run", scene, "-o", "out", env=self.environment)
        self.assertIn("out/report.html shows an earlier result", err)

    def test_run_stands_without_its_page(self):
        self.template.unlink()
        _, err = self.carom("run", self.scene(end=1), "-o", "out", "--report", env=self.environment)
        self.assertIn("note: no report page: ", err)
        _, err = self.carom("run", self.scene(end=1), "--no-output", "--report", code=2, env=self.environment)
        self.assertIn("--report needs the results that --no-output does not write", err)


if __name__ == "__main__":
    cli.main()
