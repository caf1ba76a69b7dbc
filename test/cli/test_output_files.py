# SPDX-License-Identifier: MIT
"""The files of a result, read as other programs read them."""
import json
import struct
import xml.etree.ElementTree as ElementTree

import cli

COLUMNS = ("time,kinetic,internal,external,friction,restitution,projection,total,residual,px,py,pz,lx,ly,lz,contacts,"
           "penetration,oscillation,energy_ratio").split(",")
PEAKS = [f"{body}.{name}" for body in ("left", "right") for name in ("max_von_mises", "max_principal", "min_principal", "max_strain")]
FORMATS = {"Float64": "d", "Int32": "i", "Int64": "q", "UInt8": "B"}


def table(path):
    """A csv file as a list of names and a list of rows of numbers."""
    lines = path.read_text(encoding="ascii").split("\n")
    assert lines[-1] == "", "the last line is whole"
    return lines[0].split(","), [[float(value) for value in line.split(",")] for line in lines[1:-1]]


def read_vtu(path):
    """A .vtu file: number of points and cells, and all arrays by section and name as lists of numbers."""
    data = path.read_bytes()
    start = data.index(b'<AppendedData encoding="raw">')
    start = data.index(b"_", start) + 1
    end = data.rindex(b"</AppendedData>")
    # without the bytes in the middle it is an XML file
    root = ElementTree.fromstring(data[:start] + data[end:])
    assert root.attrib == {"type": "UnstructuredGrid", "version": "1.0", "byte_order": "LittleEndian", "header_type": "UInt64"}
    piece = root.find("UnstructuredGrid/Piece")
    time = float(root.find("UnstructuredGrid/FieldData/DataArray[@Name='TimeValue']").text)
    arrays, place = {}, start
    for section in piece:
        for array in section:
            assert array.attrib["format"] == "appended"
            assert start + int(array.attrib["offset"]) == place, "arrays follow one another"
            (size,) = struct.unpack_from("<Q", data, place)
            letter = FORMATS[array.attrib["type"]]
            count = size // struct.calcsize(letter)
            values = struct.unpack_from(f"<{count}{letter}", data, place + 8)
            place += 8 + size
            components = int(array.attrib["NumberOfComponents"])
            if components > 1:
                values = [values[i:i + components] for i in range(0, count, components)]
            arrays[section.tag, array.attrib["Name"]] = list(values)
    assert data[place:end].strip() == b"", "nothing else follows"
    return time, int(piece.attrib["NumberOfPoints"]), int(piece.attrib["NumberOfCells"]), arrays


class OutputFiles(cli.CommandTest):
    def setUp(self):
        super().setUp()
        self.carom("run", self.scene(end=10, every=4, frames=30), "-o", "out/deep/er", "--set", "output.history.bodies=true")
        self.out = self.folder / "out/deep/er"

    def test_history(self):
        names, rows = table(self.out / "history.csv")
        bodies = [f"{body}.{name}" for body in ("left", "right", "ball")
                  for name in ("kinetic", "internal", "px", "py", "pz", "lx", "ly", "lz")]
        self.assertEqual(names, COLUMNS + PEAKS + bodies, "a point mass has no stress")
        self.assertEqual(len(rows), 200 // 4 + 1)
        for k, row in enumerate(rows):
            value = dict(zip(names, row))
            self.assertEqual(value["time"], 4 * k * 0.05)
            self.assertAlmostEqual(value["total"], value["kinetic"] + value["internal"] + value["external"], delta=1e-15)
            losses = value["friction"] + value["restitution"] + value["projection"]
            self.assertAlmostEqual(value["residual"], value["total"] + losses - value["oscillation"] - rows[0][7], delta=1e-15)
            energy = value["kinetic"] + value["internal"] + losses - value["oscillation"]
            self.assertAlmostEqual(value["energy_ratio"], energy / (rows[0][7] - value["external"]), delta=1e-13)
            for column in ("kinetic", "internal", "px", "py", "pz", "lx", "ly", "lz"):
                parts = sum(value[f"{body}.{column}"] for body in ("left", "right", "ball"))
                self.assertAlmostEqual(parts, value[column], delta=1e-13)
        self.assertGreater(max(row[15] for row in rows) + rows[-1][5], 0, "there was contact")

    def test_history_ends_with_the_last_step(self):
        self.carom("run", self.scene(end=1, every=7), "-o", "odd")
        names, rows = table(self.folder / "odd/history.csv")
        self.assertEqual(names, COLUMNS + PEAKS)
        self.assertEqual([round(row[0] / 0.05) for row in rows], [0, 7, 14, 20])

    def test_automatic_cadence(self):
        self.carom("run", self.scene(end=200, every="auto", frames="auto"), "-o", "auto")
        _, rows = table(self.folder / "auto/history.csv")
        self.assertEqual(len(rows), 1001)
        self.assertEqual(len(list((self.folder / "auto/fields").iterdir())), 101)
        self.carom("run", self.scene(end=1, every="auto", frames="auto"), "-o", "short")
        _, rows = table(self.folder / "short/history.csv")
        self.assertEqual(len(rows), 21)

    def test_probes(self):
        names, rows = table(self.out / "probes.csv")
        self.assertEqual(names, "time,tip.x,tip.y,tip.z,tip.ux,tip.uy,tip.uz,tip.vx,tip.vy,tip.vz,"
                                "whole.x,whole.y,whole.z,whole.vx,whole.vy,whole.vz".split(","))
        self.assertEqual(len(rows), 51)
        first = dict(zip(names, rows[0]))
        self.assertEqual([first[f"tip.{c}"] for c in ("x", "ux", "vx")], [0, 0, 0.1])
        # a probe of a whole body is its mass centre: it has the momentum of the body
        _, history = table(self.out / "history.csv")
        for probe, row in zip(rows, history):
            self.assertAlmostEqual(20 * probe[13], row[len(COLUMNS + PEAKS) + 8 + 2], delta=1e-12)
        for row in rows:
            self.assertEqual(row[4], row[1])

    def test_numbers_keep_their_bits(self):
        text = (self.out / "history.csv").read_text().splitlines()[-1].split(",")
        for number in text:
            self.assertEqual(f"{float(number):.17g}", number)

    def test_fields(self):
        root = ElementTree.parse(self.out / "fields.pvd").getroot()
        self.assertEqual(root.attrib["type"], "Collection")
        sets = root.findall("Collection/DataSet")
        steps = [0, 30, 60, 90, 120, 150, 180, 200]
        self.assertEqual([float(s.attrib["timestep"]) for s in sets], [step * 0.05 for step in steps])
        self.assertEqual([s.attrib["file"] for s in sets], [f"fields/frame_{k:06}.vtu" for k in range(len(steps))])
        self.assertEqual(len(list((self.out / "fields").iterdir())), len(steps))
        for s in sets:
            time, points, cells, arrays = read_vtu(self.out / s.attrib["file"])
            self.assertEqual(time, float(s.attrib["timestep"]))
            self.assertEqual((points, cells), (43, 41))
            self.assertEqual({key: len(values) for key, values in arrays.items()}, {
                ("PointData", "displacement"): 43, ("PointData", "velocity"): 43, ("PointData", "impulse"): 43, ("PointData", "body"): 43,
                ("PointData", "contact_force"): 43, ("PointData", "contact_state"): 43,
                ("PointData", "mass"): 43, ("CellData", "body"): 41, ("CellData", "axial_strain"): 41, ("CellData", "axial_stress"): 41,
                ("CellData", "max_von_mises"): 41, ("CellData", "max_principal"): 41,
                ("Points", "position"): 43, ("Cells", "connectivity"): 81, ("Cells", "offsets"): 41, ("Cells", "types"): 41})
            self.assertEqual(arrays["Cells", "types"], [3] * 40 + [1])
            self.assertEqual(arrays["Cells", "offsets"], list(range(2, 81, 2)) + [81])
            self.assertEqual(sorted(set(arrays["Cells", "connectivity"])), list(range(43)))
            self.assertEqual(arrays["CellData", "body"], [0] * 20 + [1] * 20 + [2])
            self.assertEqual(arrays["PointData", "body"], [0] * 21 + [1] * 21 + [2])
            self.assertAlmostEqual(sum(arrays["PointData", "mass"]), 30.5, delta=1e-12)
            # a point mass has no strain
            self.assertEqual(arrays["CellData", "axial_strain"][-1], 0)
        # what is shown is what the history says
        names, rows = table(self.out / "probes.csv")
        tip = dict(zip(names, rows[-1]))
        self.assertEqual(arrays["Points", "position"][20], tuple(tip[f"tip.{c}"] for c in "xyz"))
        self.assertEqual(arrays["PointData", "displacement"][20], tuple(tip[f"tip.u{c}"] for c in "xyz"))
        self.assertEqual(arrays["PointData", "velocity"][20], tuple(tip[f"tip.v{c}"] for c in "xyz"))

    def test_summary(self):
        summary = cli.result(self.out)
        self.assertLessEqual({"version", "scene", "integrator", "steps", "element_updates", "contact_events", "threads",
                              "wall_seconds", "energy_error", "momentum_error", "angular_momentum_error", "max_penetration",
                              "intersections", "state_hash", "events"}, set(summary))
        self.assertEqual((summary["steps"], summary["integrator"], summary["title"]), (200, "newmark-dcr", "Two bars"))
        self.assertTrue(summary["completed"])
        self.assertRegex(summary["state_hash"], r"^0x[0-9a-f]{16}$")
        self.assertIsInstance(summary["events"], dict)
        pair = summary["pairs"][0]
        self.assertEqual(pair["bodies"], ["left", "right"])
        self.assertAlmostEqual(pair["first_contact"], 1.0, delta=0.051)
        names, rows = table(self.out / "history.csv")
        last = summary["ledger"]["last"]
        for name in ("time", "kinetic", "internal", "total", "residual"):
            self.assertEqual(last[name], rows[-1][names.index(name)])
        # the drifts are those of the history
        scale = max(row[1] + row[2] for row in rows)
        self.assertEqual(summary["scales"]["energy"], scale)
        self.assertEqual(summary["energy_error"], max(abs(row[8]) for row in rows) / scale)

    def test_units_are_labels(self):
        # in the summary as they are written, and the same motion with them and without
        scene = self.scene(end=10, every=4, frames=30)
        text = scene.read_text(encoding="utf-8")
        scene.write_text("units: {length: mm, mass: t, time: \u00b5s}\n" + text, encoding="utf-8")
        self.carom("run", scene, "-o", "units")
        summary = cli.result(self.folder / "units")
        self.assertEqual(summary["units"], {"length": "mm", "mass": "t", "time": "\u00b5s"})
        self.assertNotIn("units", cli.result(self.out))
        for key in ("state_hash", "model_hash"):
            self.assertEqual(summary[key], cli.result(self.out)[key])

    def test_titles_that_need_escapes(self):
        title = 'quote " backslash \\ umlaut \u00fc clef \U0001d11e'
        scene = self.scene(end=1)
        text = scene.read_text(encoding="utf-8").replace("title: Two bars", "title: " + json.dumps(title, ensure_ascii=False))
        scene.write_text(text, encoding="utf-8")
        self.carom("run", scene, "-o", "title")
        self.assertEqual(cli.result(self.folder / "title")["title"], title)

    def test_scene_copy_runs_alike(self):
        copy = self.out / "scene.yaml"
        self.assertTrue(copy.read_text().startswith("# A scene of carom with all defaults filled in.\n"))
        self.carom("run", copy, "-o", "again")
        self.assertEqual((self.folder / "again/history.csv").read_bytes(), (self.out / "history.csv").read_bytes())

    def live_frames(self, path):
        """The frames listed now. A look at the very moment of an entry may see half of it: then a second one."""
        for attempt in range(3):
            try:
                return ElementTree.parse(path).getroot().findall("Collection/DataSet")
            except ElementTree.ParseError:
                if attempt == 2:
                    raise
                cli.time.sleep(0.01)

    def test_readable_while_it_runs(self):
        process = self.start("run", self.scene(end=1e6, every=100, frames=20000), "-o", "live")
        live = self.folder / "live"
        seen = []
        try:
            cli.wait_for(lambda: (live / "fields.pvd").exists() and (live / "history.csv").exists())
            # as long as a slow machine needs for a second frame
            for look in range(1200):
                if look >= 20 and seen[-1][1] > 1:
                    break
                cli.time.sleep(0.05)
                _, rows = table(live / "history.csv")
                frames = self.live_frames(live / "fields.pvd")
                for frame in frames[-1:]:
                    read_vtu(live / frame.attrib["file"])
                seen.append((len(rows), len(frames)))
        finally:
            process.kill()
            process.communicate()
        self.assertEqual(seen, sorted(seen))
        self.assertGreater(seen[-1][0], seen[0][0])
        self.assertGreater(seen[-1][1], 1)

    def test_info_of_a_result(self):
        shown, _ = self.carom("info", self.out)
        run, _ = self.carom("run", self.scene(end=10, every=4, frames=30), "-o", "again", "--set", "output.history.bodies=true")
        ledger = run[run.index("Energy"):run.index("\n200 steps")]
        self.assertIn(ledger, shown)
        self.assertIn("complete", shown)
        self.assertIn(cli.result(self.out)["state_hash"], shown)
        (self.out / "summary.json").write_text('{"ledger": [')
        _, err = self.carom("info", self.out, code=2)
        self.assertIn("is not a summary of carom", err)
        (self.out / "summary.json").unlink()
        _, err = self.carom("info", self.out, code=2)
        self.assertIn("summary.json: No such file", err)


if __name__ == "__main__":
    cli.main()
