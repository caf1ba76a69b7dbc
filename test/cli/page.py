# SPDX-License-Identifier: MIT
"""What the tests of the report page share: a template, the data in a page, and frames read and written."""
import base64
import json
import re
import struct
from array import array
from pathlib import Path

MARK = '<script type="application/json" id="carom-data">null</script>'
TEMPLATE = f"<!doctype html>\n<html><head><title>page</title></head><body>\n{MARK}\n<script>/* end */</script></body></html>\n"
COLUMNS = "time,kinetic,internal,external,friction,restitution,projection,total,residual,px,py,pz,lx,ly,lz,contacts,penetration"


def payload(path):
    """The data in a page; the text around them must be that of the template."""
    text = Path(path).read_text(encoding="utf-8")
    head, tail = TEMPLATE.split("null")
    assert text.startswith(head) and text.endswith(tail), "the template is not as it was"
    body = text[len(head):len(text) - len(tail)]
    assert "<" not in body, "the data may end their script"
    return json.loads(body)


def numbers(text, kind):
    """Base64 of little-endian numbers: kind is H (uint16), i (int32) or d (float64)."""
    values = array(kind, base64.b64decode(text, validate=True))
    if struct.pack("=H", 1) != struct.pack("<H", 1):
        values.byteswap()
    return list(values)


def positions(frames):
    """Coordinates of all nodes in all frames, as the page shows them: the first frame and the displacements from it."""
    origin, shift, size = numbers(frames["origin"], "d"), frames["shift"], 3 * frames["nodes"]
    return [origin[i % size] + shift[i % 3] + (shift[3 + i % 3] - shift[i % 3]) * q / 65535
            for i, q in enumerate(numbers(frames["positions"], "H"))]


def table(data):
    """{name: values} of a table of numbers."""
    values, rows = numbers(data["columns"], "d"), data["rows"]
    return {name: values[i * rows:(i + 1) * rows] for i, name in enumerate(data["names"])}


def csv(path):
    """{name: values} of a CSV file of numbers."""
    names, *rows = (line.split(",") for line in Path(path).read_text(encoding="utf-8").splitlines())
    return {name: [float(row[i]) for row in rows] for i, name in enumerate(names)}


KINDS = {"Float64": "d", "Int64": "q", "Int32": "i", "UInt8": "B"}


def read_vtu(path):
    """{(section, name): numbers} of a frame that carom wrote."""
    raw = Path(path).read_bytes()
    begin = raw.index(b"_", raw.index(b"<AppendedData")) + 1
    head, found, section = raw[:begin].decode(), {}, None
    for tag in re.findall(r"<[^>]*>", head):
        opened = re.fullmatch(r"<(PointData|CellData|Points|Cells)>", tag)
        section = opened[1] if opened else section
        if section and tag.startswith("<DataArray"):
            a = dict(re.findall(r'(\w+)="([^"]*)"', tag))
            at = begin + int(a["offset"])
            size, = struct.unpack_from("=Q", raw, at)
            found[section, a["Name"]] = list(array(KINDS[a["type"]], raw[at + 8:at + 8 + size]))
    return found


def write_vtu(path, points, cells, point_data=(), cell_data=()):
    """A frame as carom would write it. cells: (type, body, points); data: (name, components, numbers)."""
    order = "LittleEndian" if struct.pack("=H", 1) == struct.pack("<H", 1) else "BigEndian"
    flat = [x for p in points for x in p]
    ends, connectivity = [], []
    for _, _, nodes in cells:
        connectivity += nodes
        ends.append(len(connectivity))
    sections = [
        ("PointData", [("Float64", n, c, v) for n, c, v in point_data]),
        ("CellData", [("Int32", "body", 1, [b for _, b, _ in cells])] + [("Float64", n, c, v) for n, c, v in cell_data]),
        ("Points", [("Float64", "position", 3, flat)]),
        ("Cells", [("Int64", "connectivity", 1, connectivity), ("Int64", "offsets", 1, ends),
                   ("UInt8", "types", 1, [t for t, _, _ in cells])]),
    ]
    head = ('<?xml version="1.0"?>\n'
            f'<VTKFile type="UnstructuredGrid" version="1.0" byte_order="{order}" header_type="UInt64">\n'
            '  <UnstructuredGrid>\n    <FieldData>\n'
            '      <DataArray type="Float64" Name="TimeValue" NumberOfTuples="1" format="ascii">0</DataArray>\n'
            f'    </FieldData>\n    <Piece NumberOfPoints="{len(points)}" NumberOfCells="{len(cells)}">\n')
    data = b""
    for section, arrays in sections:
        head += f"      <{section}>\n"
        for kind, name, components, values in arrays:
            head += (f'        <DataArray type="{kind}" Name="{name}" NumberOfComponents="{components}" format="appended" '
                     f'offset="{len(data)}"/>\n')
            raw = array(KINDS[kind], values).tobytes()
            data += struct.pack("=Q", len(raw)) + raw
        head += f"      </{section}>\n"
    head += '    </Piece>\n  </UnstructuredGrid>\n  <AppendedData encoding="raw">\n_'
    Path(path).write_bytes(head.encode() + data + b"\n  </AppendedData>\n</VTKFile>\n")


def write_result(folder, frames):
    """A result with these frames: lists of arguments of write_vtu."""
    (folder / "fields").mkdir(parents=True)
    rows = "".join(f"{i},{','.join('0' * 16)}\n" for i in range(len(frames)))
    (folder / "history.csv").write_text(f"{COLUMNS}\n{rows}", encoding="utf-8")
    entries = ""
    for i, frame in enumerate(frames):
        write_vtu(folder / f"fields/frame_{i:06d}.vtu", *frame)
        entries += f'    <DataSet timestep="{i}" part="0" file="fields/frame_{i:06d}.vtu"/>\n'
    (folder / "fields.pvd").write_text('<?xml version="1.0"?>\n<VTKFile type="Collection" version="1.0">\n  <Collection>\n'
                                       f"{entries}  </Collection>\n</VTKFile>\n", encoding="utf-8")
    return folder
