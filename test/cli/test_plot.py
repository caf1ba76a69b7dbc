# SPDX-License-Identifier: MIT
"""carom plot: the curves of the figure are those of the history."""
import csv
import math
import re
import unittest
import xml.etree.ElementTree as xml

import cli
import page

SVG = "{http://www.w3.org/2000/svg}"


class Figure:
    """Panels of a figure: [(scale, [(column, run, points, attributes)])], points as numbers of the axes."""

    def __init__(self, path):
        self.root = xml.parse(path).getroot()
        self.panels = []
        for group in self.root.iter(f"{SVG}g"):
            x, y = (list(map(float, group.get(name).split())) for name in ("data-x", "data-y"))
            curves = []
            for path_ in group.iter(f"{SVG}path"):
                if path_.get("class") == "curve":
                    places = [tuple(map(float, p)) for p in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path_.get("d"))]
                    points = [(self.value(x, a), self.value(y, b)) for a, b in places]
                    curves.append((path_.get("data-column"), path_.get("data-run"), points, path_.attrib))
            self.panels.append((group.get("data-scale"), y, curves))

    @staticmethod
    def value(axis, place):
        begin, end, low, high = axis
        return low + (high - low) * (place - begin) / (end - begin)

    def texts(self):
        return ["".join(text.itertext()) for text in self.root.iter(f"{SVG}text")]


def pair_curves(path):
    """pairs.csv by pair: {"a-b": {"time": [...], "normal": [...], ...}}."""
    pairs = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            columns = pairs.setdefault(f"{row.pop('body_1')}-{row.pop('body_2')}", {})
            for name, value in row.items():
                columns.setdefault(name, []).append(float(value))
    return pairs


class PlotTest(cli.CommandTest):
    def run_scene(self, name="out", *arguments):
        self.carom("run", self.scene(end=30), "-o", name, "-q", *arguments)
        return page.csv(self.folder / name / "history.csv")

    def plot(self, *arguments, code=0):
        return self.carom("plot", *arguments, code=code)

    def check_curve(self, curve, history, axis, logarithmic=False):
        column, _, points, _ = curve
        self.assertGreater(len(points), 100)
        low, high = axis[2:]
        for place, row in ((0, 0), (-1, -1)):
            time, value = points[place]
            wanted = history[column][row]
            if logarithmic:
                wanted = max(math.log10(abs(wanted)) if wanted else low, low)
            self.assertAlmostEqual(time, history["time"][row], delta=3e-5 * history["time"][-1])
            # coordinates have two decimals of some hundred units
            self.assertAlmostEqual(value, wanted, delta=1e-4 * (high - low))
        if not logarithmic:
            values = history[column]
            self.assertAlmostEqual(max(v for _, v in points), max(values), delta=1e-4 * (high - low))
            self.assertAlmostEqual(min(v for _, v in points), min(values), delta=1e-4 * (high - low))

    def test_energies_losses_and_residual(self):
        history = self.run_scene()
        printed, _ = self.plot("out")
        self.assertEqual(printed, "out/energy.svg\n")
        figure = Figure(self.folder / "out/energy.svg")
        self.assertEqual(figure.root.get("width"), "90mm")
        self.assertEqual([scale for scale, _, _ in figure.panels], ["linear", "linear", "log", "linear", "linear"])
        answers = figure.panels[3:]
        figure.panels = figure.panels[:3]
        # what is zero throughout has no curve
        wanted = [[name for name in names if any(history[name])]
                  for names in (("internal", "kinetic", "total", "external"), ("friction", "projection", "restitution"))]
        self.assertEqual([sorted(c[0] for c in curves) for _, _, curves in figure.panels], [*wanted, ["residual"]])
        self.assertEqual(wanted[0], ["internal", "kinetic", "total"])
        for scale, axis, curves in figure.panels:
            for curve in curves:
                self.check_curve(curve, history, axis, scale == "log")
        for text in ("energy", "lost energy", "time", "kinetic", "internal", "total", "restitution"):
            self.assertTrue(any(found.startswith(text) for found in figure.texts()), text)
        colours = [c[3]["stroke"] for c in figure.panels[0][2]]
        self.assertEqual(len(set(colours)), 3)
        # below the ledger: the contact force of the only pair, and the stress of both bodies, named by the bodies
        self.assertEqual([sorted(c[0] for c in curves) for _, _, curves in answers],
                         [["left-right.normal"], ["left.max_von_mises", "right.max_von_mises"]])
        for curve in answers[1][2]:
            self.check_curve(curve, history, answers[1][1])
        for text in ("contact force", "von Mises stress", "left", "right"):
            self.assertIn(text, figure.texts())

    def test_contact_forces(self):
        history = self.run_scene()
        pair = pair_curves(self.folder / "out/pairs.csv")["left-right"]
        # bodies in any order; what one gets the other gives
        self.plot("out", "--columns", "left-right.normal/left-right.force_x/right-left.force_x/right-left.normal", "-o", "f.svg")
        figure = Figure(self.folder / "f.svg")
        self.assertGreater(pair["time"][0], history["time"][1])
        self.assertGreater(max(pair["normal"]), 0)
        for (_, axis, (curve,)), (column, sign) in zip(figure.panels, (("normal", 1), ("force_x", 1), ("force_x", -1), ("normal", 1))):
            values = [sign * value for value in pair[column]]
            delta = 1e-4 * (axis[3] - axis[2])
            found = [value for _, value in curve[2]]
            self.assertAlmostEqual(max(found), max(values + [0]), delta=delta)
            self.assertAlmostEqual(min(found), min(values + [0]), delta=delta)
            # nothing touched before the first row of the pair: the curve is zero there
            self.assertAlmostEqual(curve[2][0][0], 0, delta=1e-3)
            early = [value for time, value in curve[2] if time < pair["time"][0] - 0.06]
            self.assertTrue(early and max(map(abs, early)) <= delta)

    def test_largest_forces_of_many(self):
        """Of many pairs the usual figure shows the six with the largest forces."""
        out = page.write_result(self.folder / "many", [([(0, 0, 0)], [(1, 0, [0])])])
        rows = "".join(f"{t},b{k},floor,1,{(k * 7 % 10) * t},0,0,0\n" for t in (1, 2, 3) for k in range(10))
        (out / "pairs.csv").write_text(f"time,body_1,body_2,events,normal,force_x,force_y,force_z\n{rows}", encoding="utf-8")
        self.plot(out)
        (_, axis, curves), = Figure(out / "energy.svg").panels
        # 7 k modulo 10 is 9, 8, 7, ... for k = 7, 4, 1, 8, 5, 2; the first is drawn last
        curves = curves[::-1]
        self.assertEqual([c[0] for c in curves], [f"b{k}-floor.normal" for k in (7, 4, 1, 8, 5, 2)])
        self.assertAlmostEqual(max(value for _, value in curves[0][2]), 27, delta=1e-3 * (axis[3] - axis[2]))

    def test_long_histories_keep_their_extremes(self):
        self.carom("run", self.scene(end=100, step=0.01), "-o", "out", "-q")
        history = page.csv(self.folder / "out/history.csv")
        self.assertGreater(len(history["time"]), 6000)
        self.plot("out")
        _, axis, curves = Figure(self.folder / "out/energy.svg").panels[0]
        for curve in curves:
            self.assertLess(len(curve[2]), 4000)
            self.check_curve(curve, history, axis)

    def test_long_histories_end_where_they_end(self):
        out = page.write_result(self.folder / "zigzag", [([(0, 0, 0)], [(1, 0, [0])])])
        count, rest = 10000, ",".join("0" * 7)
        values = [(-1) ** i for i in range(count)]
        values[0], values[-1] = 0.5, 0.25
        rows = "".join(f"{i},{','.join('0' * 8)},{v},{rest}\n" for i, v in enumerate(values))
        (out / "history.csv").write_text(f"{page.COLUMNS}\n{rows}", encoding="utf-8")
        self.plot(out, "--columns", "px")
        (_, axis, (curve,)), = Figure(out / "columns.svg").panels
        self.assertLess(len(curve[2]), count / 2)
        self.check_curve(curve, {"time": range(count), "px": values}, axis)

    def test_chosen_columns(self):
        history = self.run_scene()
        probes = page.csv(self.folder / "out/probes.csv")
        self.plot("out", "--columns", "px,pz/tip.vx/residual", "-o", "chosen.svg", "--width", "180")
        figure = Figure(self.folder / "chosen.svg")
        self.assertEqual(figure.root.get("width"), "180mm")
        found = [(scale, sorted(c[0] for c in curves)) for scale, _, curves in figure.panels]
        self.assertEqual(found, [("linear", ["px", "pz"]), ("linear", ["tip.vx"]), ("log", ["residual"])])
        self.check_curve(figure.panels[1][2][0], probes, figure.panels[1][1])
        self.check_curve(figure.panels[0][2][0], history, figure.panels[0][1])

    def test_several_results(self):
        histories = {"one": self.run_scene("one"), "two": self.run_scene("two", "--set", "contact.restitution=1")}
        self.plot("one", "two", "-o", "both.svg")
        figure = Figure(self.folder / "both.svg")
        for scale, axis, curves in figure.panels:
            runs = {}
            for curve in curves:
                if curve[0] in histories[curve[1]]:
                    self.check_curve(curve, histories[curve[1]], axis, scale == "log")
                runs.setdefault(curve[1], set()).add(curve[3]["stroke"])
            # a colour for each result
            self.assertEqual([len(colours) for colours in runs.values()], [1, 1])
            self.assertNotEqual(runs["one"], runs["two"])
        self.assertEqual([text for text in figure.texts() if text in histories], ["one", "two"])
        self.assertEqual(sorted((c[0], c[1]) for c in figure.panels[3][2]),
                         [("left-right.normal", "one"), ("left-right.normal", "two")])

    def test_damping_is_drawn(self):
        scene = self.scene(end=30)
        text = scene.read_text(encoding="utf-8")
        scene.write_text(text.replace("  - name: left\n", "  - name: left\n    damping: {mass: 0.01}\n"), encoding="utf-8")
        self.carom("run", scene, "-o", "damped", "-q")
        history = page.csv(self.folder / "damped/history.csv")
        self.plot("damped")
        _, axis, curves = Figure(self.folder / "damped/energy.svg").panels[1]
        self.check_curve(next(c for c in curves if c[0] == "damping"), history, axis)
        # beside a run without damping, which has no such column
        self.run_scene("free")
        for names in (("damped", "free"), ("free", "damped")):
            self.plot(*names, "-o", "both.svg")
            figure = Figure(self.folder / "both.svg")
            self.assertEqual([c[1] for c in figure.panels[1][2] if c[0] == "damping"], ["damped"])
            self.assertEqual(sum(text.strip() == "damping" for text in figure.texts()), 1)

    def test_chosen_columns_have_a_file_of_their_own(self):
        self.run_scene()
        self.plot("out")
        before = (self.folder / "out/energy.svg").read_bytes()
        printed, _ = self.plot("out", "--columns", "tip.ux")
        self.assertEqual(printed, "out/columns.svg\n")
        self.assertEqual((self.folder / "out/energy.svg").read_bytes(), before)

    def test_labels_beside_the_numbers(self):
        out = page.write_result(self.folder / "small", [([(0, 0, 0)], [(1, 0, [0])])])
        rows = "".join(f"{i},{','.join('0' * 7)},{10.0 ** (-12 - 2 * (i % 2))},{','.join('0' * 8)}\n" for i in range(50))
        (out / "history.csv").write_text(f"{page.COLUMNS}\n{rows}", encoding="utf-8")
        self.plot(out)
        figure = Figure(out / "energy.svg")
        begin = float(next(figure.root.iter(f"{SVG}g")).get("data-x").split()[0])
        label = next(t for t in figure.root.iter(f"{SVG}text") if "rotate" in t.get("transform", ""))
        baseline = float(re.search(r"translate\(([\d.]+)", label.get("transform"))[1])
        # "10" in type of 25 and "−14" in type of 18, digits of 0.56 and a minus of 0.58 of it (Helvetica), end 8 before the axis
        numbers = begin - 8 - 2 * 0.56 * 25 - (0.58 + 2 * 0.56) * 18
        self.assertGreater(numbers, baseline + 0.22 * 25)

    def test_hostile_names(self):
        name = '<script>&"quoted" ü'
        self.run_scene(name)
        self.plot(name, "-o", "figure.svg")
        figure = Figure(self.folder / "figure.svg")
        self.assertEqual(figure.root.find(f"{SVG}title").text, name)
        self.assertEqual({c[1] for _, _, curves in figure.panels for c in curves}, {name})

    def test_same_names(self):
        self.run_scene("a/out")
        self.run_scene("b/out")
        self.plot("a/out", "b/out", "-o", "both.svg")
        self.assertEqual([t for t in Figure(self.folder / "both.svg").texts() if "/out" in t], ["a/out", "b/out"])

    def test_mistakes(self):
        self.run_scene()
        (self.folder / "empty").mkdir()
        for arguments, message in ((["out", "--columns", "kinetik"], "did you mean 'kinetic'?"),
                                   (["out", "--columns", "heat"], "has a column 'heat'; there are kinetic, internal, external, "),
                                   (["out", "--columns", "heat"], "right.max_strain, tip."),
                                   (["out", "--columns", "left-right.norml"], "did you mean 'left-right.normal'?"),
                                   (["out", "--columns", "left-right.body_1"], "has a column 'left-right.body_1'"),
                                   (["out", "-o", "out/pairs.csv"], "has the name of a file of a result"),
                                   (["out", "-o", "out/history.csv"], "has the name of a file of a result"),
                                   (["out", "--columns", "tip.vy,,px"], "between the commas"),
                                   (["out", "--width", "10"], "--width expects"), (["out", "--width", "wide"], "--width expects"),
                                   (["empty"], "holds no result of carom"), (["nowhere"], "holds no result of carom"),
                                   (["out", "-o", "nowhere/a.svg"], "cannot write nowhere/a.svg")):
            _, err = self.plot(*arguments, code=2)
            self.assertIn(message, err)

    def test_nothing_to_draw(self):
        out = page.write_result(self.folder / "still", [([(0, 0, 0)], [(1, 0, [0])])])
        _, err = self.plot(out, code=2)
        self.assertIn("there is nothing to draw", err)
        self.plot(out, "--columns", "px")
        self.assertEqual(len(Figure(out / "columns.svg").panels[0][2]), 1)
        # a line of one point is a dot
        circle, = Figure(out / "columns.svg").root.iter(f"{SVG}circle")
        self.assertGreater(float(circle.get("r")), 2)


if __name__ == "__main__":
    cli.main()
