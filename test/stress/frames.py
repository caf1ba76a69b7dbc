# SPDX-License-Identifier: MIT
"""Reads what a run has written: frames of the animation (.vtu with raw appended data) and tables (.csv)."""
import array
import csv
import re
import struct

CODES = {"Float64": "d", "Int32": "i", "Int64": "q", "UInt8": "B"}
ARRAY = re.compile(rb'<DataArray type="(\w+)" Name="(\w+)"[^>]*?NumberOfComponents="(\d+)"[^>]*?offset="(\d+)"')
SECTION = re.compile(rb"<(PointData|CellData|Points|Cells)>(.*?)</\1>", re.S)


class Frame:
    """One frame: `time`, `x` and `v` of all nodes, `cells` as (VTK type, nodes), numbers of bodies, and the fields of nodes."""

    def __init__(self, path):
        data = path.read_bytes()
        head, mark, _ = data.partition(b'<AppendedData encoding="raw">')
        begin = data.index(b"_", len(head) + len(mark)) + 1
        self.time = float(re.search(rb'"TimeValue"[^>]*>([^<]+)<', head)[1])
        found = {}
        for section, text in SECTION.findall(head):
            for kind, name, width, offset in ARRAY.findall(text):
                found[section.decode(), name.decode()] = read_array(data, begin + int(offset), kind.decode(), int(width))
        self.nodes = {name: values for (section, name), values in found.items() if section == "PointData"}
        self.x = found["Points", "position"]
        self.v = self.nodes["velocity"]
        self.body = self.nodes["body"]
        self.cell_body = found["CellData", "body"]
        corners, ends = found["Cells", "connectivity"], found["Cells", "offsets"]
        begins = [0, *ends[:-1]]
        self.cells = [(kind, tuple(corners[a:b])) for kind, a, b in zip(found["Cells", "types"], begins, ends)]


def read_array(data, at, kind, width):
    """A list of numbers, or of tuples if there are several components."""
    size = struct.unpack_from("<Q", data, at)[0]
    values = array.array(CODES[kind])
    values.frombytes(data[at + 8: at + 8 + size])
    if width == 1:
        return values.tolist()
    return list(zip(*[iter(values.tolist())] * width))


def read_frames(folder):
    return [Frame(path) for path in sorted((folder / "fields").glob("frame_*.vtu"))]


def read_table(path):
    """Rows of a .csv file as dictionaries of numbers."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        names = next(rows, [])
        return [dict(zip(names, map(float, row))) for row in rows if len(row) == len(names)]
