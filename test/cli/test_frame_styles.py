# SPDX-License-Identifier: MIT
"""Frames with chosen fields, in single precision, packed, of surfaces only, at given times: read by programs that share no code
with carom, and by carom's own page; the same bytes on any number of threads and after a kill."""
import signal
import struct
import xml.etree.ElementTree as ElementTree
import zlib

import cli
import page

# Bricks and tetrahedra, a plane body, a beam and a point: every kind of cell.
SCENE = """\
title: All kinds of cells
integrator: newmark-dcr
time: {end: 0.3, step: 0.005}
bodies:
  - name: tets
    mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [5, 5, 5], cells: tet4}}
    element: tet4
    material: {neo-hookean: {young: 1, poisson: 0.3, density: 1}}
    velocity: [0, 0, -0.2]
  - name: bricks
    mesh: {box: {from: [2, 0, 0], to: [3, 1, 1], elements: [3, 3, 3]}}
    element: hex8
    material: {neo-hookean: {young: 1, poisson: 0.3, density: 1}}
    velocity: [0, 0, -0.3]
  - name: bar
    mesh: {line: {from: [4, 0, 1], to: [4, 0, 2], elements: 3}}
    element: bar
    material: {linear: {young: 1, density: 1}}
    velocity: [0, 0, -0.1]
  - {name: ball, mesh: {point: {at: [5, 0, 0.01]}}, element: {point-mass: {mass: 1}}, velocity: [0, 0, -0.5]}
contact: {restitution: 0.5, planes: [{name: floor, point: [0, 0, -0.005], normal: [0, 0, 1]}]}
output: {directory: unused, history: {every: 3}, fields: {every: 20}}
"""
LETTERS = {"Float64": "d", "Float32": "f", "Int32": "i", "Int64": "q", "UInt8": "B"}


def blocks(data, place):
    """The bytes of a packed array, as the documentation of VTK describes them."""
    count, size, last = struct.unpack_from("<3Q", data, place)
    packed = struct.unpack_from(f"<{count}Q", data, place + 24)
    place += 24 + 8 * count
    bytes_ = b""
    for i, length in enumerate(packed):
        block = zlib.decompress(data[place:place + length])
        assert len(block) == (last if last and i + 1 == count else size)
        bytes_ += block
        place += length
    return bytes_, place


def read_vtu(path):
    """{(section, name): (type, components, numbers)}, points and cells; checks that arrays follow one another without gaps."""
    data = path.read_bytes()
    start = data.index(b"_", data.index(b'<AppendedData encoding="raw">')) + 1
    end = data.rindex(b"</AppendedData>")
    root = ElementTree.fromstring(data[:start] + data[end:])
    packed = root.attrib.get("compressor")
    assert packed in (None, "vtkZLibDataCompressor")
    piece, arrays, place = root.find("UnstructuredGrid/Piece"), {}, start
    for section in piece:
        for array in section:
            assert start + int(array.attrib["offset"]) == place
            if packed:
                values, place = blocks(data, place)
            else:
                (size,) = struct.unpack_from("<Q", data, place)
                values = data[place + 8:place + 8 + size]
                place += 8 + size
            letter = LETTERS[array.attrib["type"]]
            numbers = struct.unpack(f"<{len(values) // struct.calcsize(letter)}{letter}", values)
            arrays[section.tag, array.attrib["Name"]] = (array.attrib["type"], int(array.attrib["NumberOfComponents"]), numbers)
    assert data[place:end].strip() == b""
    return arrays, int(piece.attrib["NumberOfPoints"]), int(piece.attrib["NumberOfCells"])


def cells(arrays):
    """(type, points) of each cell."""
    connectivity, ends = arrays["Cells", "connectivity"][2], arrays["Cells", "offsets"][2]
    return [(kind, connectivity[begin:end]) for kind, begin, end in zip(arrays["Cells", "types"][2], (0,) + ends, ends)]


def options(**fields):
    return [word for key, value in fields.items() for word in ("--set", f"output.fields.{key}={value}")]


def single(number):
    return struct.unpack("f", struct.pack("f", number))[0]


class Styles(cli.CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "scene.yaml").write_text(SCENE)

    def run_to(self, name, *more, **fields):
        self.carom("run", "scene.yaml", "-o", name, "-q", *options(**fields), *more)
        return [read_vtu(path) for path in sorted((self.folder / name / "fields").iterdir())]

    def test_packed(self):
        plain, packed = self.run_to("plain"), self.run_to("packed", compress="true")
        self.assertEqual(len(plain), 4)
        for (a, points, count), (b, *sizes) in zip(plain, packed):
            self.assertEqual([points, count], sizes)
            self.assertEqual(list(a), list(b))
            for key in a:
                self.assertEqual(a[key][1:], b[key][1:], key)
                if key[0] != "Cells":
                    self.assertEqual(a[key][0], b[key][0])
        self.assertLess((self.folder / "packed/fields/frame_000001.vtu").stat().st_size,
                        0.7 * (self.folder / "plain/fields/frame_000001.vtu").stat().st_size)

    def test_single(self):
        for a, b in zip(self.run_to("double"), self.run_to("single", precision="single")):
            for key, (kind, components, numbers) in a[0].items():
                self.assertEqual(b[0][key][0], "Float32" if kind == "Float64" else kind)
                self.assertEqual(b[0][key][2], tuple(map(single, numbers)) if kind == "Float64" else numbers)

    def test_surface(self):
        whole, surface = self.run_to("whole")[-1][0], self.run_to("surface", surface="true")[-1][0]
        points, faces = surface["PointData", "number"][2], surface["CellData", "number"][2]
        # numbers count within each body; bodies follow one another
        begins, cell_begins = [0, 216, 280, 284], [0, 750, 777, 780]
        point_of = [begins[b] + k for b, k in zip(surface["PointData", "body"][2], points)]
        cell_of = [cell_begins[b] + k for b, k in zip(surface["CellData", "body"][2], faces)]
        self.assertEqual(list(surface["PointData", "point"][2]), point_of)
        self.assertEqual(len(point_of), (216 - 64) + (64 - 8) + 4 + 1)
        kinds = [kind for kind, _ in cells(surface)]
        self.assertEqual([kinds.count(k) for k in (5, 9, 3, 1)], [300, 54, 3, 1])
        for (section, name), (_, components, numbers) in surface.items():
            source = point_of if section in ("PointData", "Points") else cell_of if section == "CellData" else None
            if name in ("number", "point") or source is None:
                continue
            values = whole[section, name][2]
            self.assertEqual(list(numbers), [values[components * k + c] for k in source for c in range(components)], name)
        # each face has nodes of its element, and nothing else has changed
        old = cells(whole)
        for (kind, nodes), cell in zip(cells(surface), cell_of):
            self.assertTrue({point_of[k] for k in nodes} <= set(old[cell][1]))
            if kind in (3, 1):
                self.assertEqual(old[cell], (kind, tuple(point_of[k] for k in nodes)))

    def test_names_and_times(self):
        frames = self.run_to("few", names="[velocity, von_mises_nodes]", at="[0, 0.012, 0.3]")
        always = {("PointData", "body"), ("CellData", "body"), ("Points", "position"), ("Cells", "connectivity"),
                  ("Cells", "offsets"), ("Cells", "types")}
        for arrays, *_ in frames:
            self.assertEqual(set(arrays) - always, {("PointData", "velocity"), ("PointData", "von_mises_nodes")})
            self.assertTrue(always <= set(arrays))
        self.assertEqual(len(frames), 5)
        whole = self.run_to("whole")
        for key in always | {("PointData", "velocity"), ("PointData", "von_mises_nodes")}:
            self.assertEqual(frames[-1][0][key], whole[-1][0][key])
        self.assertIn('timestep="0.014999999999999999"', (self.folder / "few/fields.pvd").read_text())
        # only those times
        self.assertEqual(len(self.run_to("two", every=0, at="[0.2, 0.1, 0.1]")), 2)
        self.assertEqual((self.folder / "two/fields.pvd").read_text().count("<DataSet"), 2)

    def all_of(self):
        return options(names="[velocity, displacement, contact_force, von_mises]", precision="single", compress="true",
                       surface="true", at="[0.013, 0.222]")

    def files(self, name):
        return {path.name: path.read_bytes() for path in sorted((self.folder / name).rglob("*"))
                if path.is_file() and path.name not in ("summary.json", "scene.yaml", "checkpoint.carom")}

    def test_same_bytes(self):
        self.carom("run", "scene.yaml", "-o", "one", "-q", "--threads", "1", *self.all_of())
        self.carom("run", "scene.yaml", "-o", "three", "-q", "--threads", "3", *self.all_of())
        self.assertEqual(self.files("one"), self.files("three"))
        process = self.start("run", "scene.yaml", "-o", "cut", "-q", *self.all_of(), "--set", "output.checkpoint.every=7")
        cli.wait_for(lambda: (self.folder / "cut/fields/frame_000002.vtu").exists() or process.poll() is not None)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        again = ["run", "scene.yaml", "-o", "cut", "-q", "--resume", *self.all_of(), "--set", "output.checkpoint.every=7"]
        if process.returncode != 0:
            self.carom(*again)
        self.assertEqual(self.files("one"), self.files("cut"))
        # frames of another style do not follow
        for key, value in (("precision", "double"), ("compress", "false"), ("surface", "false"), ("names", "[mass]")):
            _, err = self.carom(*again, "--set", "time.end=0.4", *options(**{key: value}), code=2)
            self.assertIn(f"cannot resume: output.fields.{key} has changed", err)

    def compare_surface(self, surface, plain):
        """Nodes of the surface are among those of the whole, which may have inner ones: the same path, the same values."""
        def paths(frames):
            origin, all_, size = page.numbers(frames["origin"], "d"), page.positions(frames), 3 * frames["nodes"]
            return [(tuple(origin[k:k + 3]), [all_[i + k + c] for i in range(0, len(all_), size) for c in range(3)])
                    for k in range(0, size, 3)]

        def values(shown, name):
            field, size = shown[1][name], shown[0]["nodes"]
            numbers, (low, high) = page.numbers(field["values"], "H"), field["range"]
            return [[low + (high - low) * numbers[i + k] / 65535 for i in range(0, len(numbers), size)] for k in range(size)]

        whole = {origin: k for k, (origin, _) in enumerate(paths(plain[0]))}
        old, found = paths(plain[0]), paths(surface[0])
        self.assertEqual(len(found), (216 - 64) + (64 - 8) + 4 + 1)
        for name in ("speed", "von_mises_nodes"):
            ours, theirs = values(surface, name), values(plain, name)
            step = plain[1][name]["range"][1] / 65535
            for k, (origin, path) in enumerate(found):
                for x, y in zip(ours[k] + path, theirs[whole[origin]] + old[whole[origin]][1]):
                    self.assertAlmostEqual(x, y, delta=max(step, 1e-5))

    def test_page(self):
        """The page shows the same numbers, as far as it finds them."""
        (self.folder / "report.html").write_text(page.TEMPLATE)
        shown = {}
        for name, fields in {"plain": {}, "packed": {"compress": "true"}, "surface": {"surface": "true", "compress": "true"},
                             "single": {"precision": "single"}, "bare": {"names": "[mass]"},
                             "means": {"names": "[von_mises_nodes]"}}.items():
            self.run_to(name, **fields)
            _, err = self.carom("report", name, "-o", f"{name}.html",
                                env={**cli.os.environ, "CAROM_VIEWER": str(self.folder / "report.html")})
            frames = page.payload(self.folder / f"{name}.html")["runs"][0]["frames"]
            shown[name] = frames, {field["name"]: field for field in frames["fields"]}
            self.assertEqual("no field" in err, name == "bare", err)
        plain, fields = shown["plain"]
        self.assertEqual(shown["packed"], shown["plain"])
        self.compare_surface(shown["surface"], shown["plain"])
        self.assertEqual(shown["means"][1]["von_mises_nodes"]["values"], fields["von_mises_nodes"]["values"])
        self.assertEqual(shown["bare"][1], {})
        self.assertEqual(shown["bare"][0]["positions"], plain["positions"])
        # a step of the 16 bits of the page, and coordinates up to 5 in single precision
        step = max(plain["shift"][3 + i] - plain["shift"][i] for i in range(3)) / 65535
        for a, b in zip(page.positions(shown["single"][0]), page.positions(plain)):
            self.assertAlmostEqual(a, b, delta=step + 1e-6)

    def test_mesh_of_a_frame(self):
        """A packed frame is a mesh file as well."""
        self.run_to("packed", compress="true", precision="single")
        out, _ = self.carom("mesh", "packed/fields/frame_000000.vtu")
        self.assertIn("750", out)


if __name__ == "__main__":
    cli.main()
