# SPDX-License-Identifier: MIT
"""One frame of the animation: a .vtu file of carom, with its arrays read on demand. They are stored one after another at the
end of the file, each preceded by its length: as they are (then they are mapped, not copied), or in blocks packed by zlib."""
import mmap
import xml.etree.ElementTree as tree
import zlib

import numpy as np

KINDS = {"Float64": "<f8", "Float32": "<f4", "Int64": "<i8", "Int32": "<i4", "UInt8": "u1", "UInt32": "<u4", "UInt64": "<u8",
         "Int8": "i1", "Int16": "<i2", "UInt16": "<u2"}
VTK_CELLS = {1: "point", 3: "line2", 5: "tri3", 9: "quad4", 10: "tet4", 12: "hex8", 13: "wedge6"}


class Frame:
    """A frame: frame["von_mises"] is an array, `frame.points`, `frame.cells`, `frame.time`, `frame.names`. A field that exists
    at points and cells is given at the cells; frame.at_points["body"] is the other."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        mark = self._map.find(b"<AppendedData")
        begin = self._map.find(b"_", self._map.find(b">", mark)) + 1
        if mark < 0 or begin <= 0:
            raise OSError(f"{path}: no frame of carom, or not complete")
        self._begin = begin
        root = tree.fromstring(bytes(self._map[:mark]) + b"</VTKFile>")
        self._header = np.dtype(KINDS[root.get("header_type", "UInt32")])
        self._packed = root.get("compressor") is not None
        piece = root.find(".//Piece")
        self.time = next((float(array.text) for array in root.findall(".//FieldData/DataArray") if array.get("Name") == "TimeValue"), None)
        self.at_points = Arrays(self, piece.find("PointData"))
        self.at_cells = Arrays(self, piece.find("CellData"))
        self._points, self._cells = Arrays(self, piece.find("Points")), Arrays(self, piece.find("Cells"))

    @property
    def names(self):
        """The names of all fields."""
        return sorted(set(self.at_points) | set(self.at_cells))

    def __getitem__(self, name):
        for arrays in (self.at_cells, self.at_points):
            if name in arrays:
                return arrays[name]
        raise KeyError(f"{name!r}; the frame has {', '.join(self.names)}")

    def __contains__(self, name):
        return name in self.at_cells or name in self.at_points

    @property
    def points(self):
        """Positions, (n, 3)."""
        return self._points[next(iter(self._points))]

    @property
    def cells(self):
        """(type, array (n, size)) for each type of cells, as a dict."""
        nodes, ends, kinds = (self._cells[name] for name in ("connectivity", "offsets", "types"))
        begins = np.concatenate([[0], ends[:-1]])
        result = {}
        for kind in np.unique(kinds):
            rows = np.flatnonzero(kinds == kind)
            size = int(ends[rows[0]] - begins[rows[0]])
            result[VTK_CELLS.get(int(kind), int(kind))] = nodes[begins[rows][:, None] + np.arange(size)]
        return result

    def pyvista(self):
        """The frame as a pyvista.UnstructuredGrid."""
        import pyvista
        return pyvista.read(str(self.path))

    def read(self, array):
        kind = np.dtype(KINDS[array.get("type")])
        components = int(array.get("NumberOfComponents", 1))
        at = self._begin + int(array.get("offset"))
        data = self._unpack(at) if self._packed else None
        if data is None:
            size = int(np.frombuffer(self._map, self._header, 1, at)[0])
            values = np.frombuffer(self._map, kind, size // kind.itemsize, at + self._header.itemsize)
        else:
            values = np.frombuffer(data, kind)
        return values if components == 1 else values.reshape(-1, components)

    def _unpack(self, at):
        count, size, last = (int(value) for value in np.frombuffer(self._map, self._header, 3, at))
        lengths = np.frombuffer(self._map, self._header, count, at + 3 * self._header.itemsize)
        place, parts = at + (3 + count) * self._header.itemsize, []
        for length in lengths:
            parts.append(zlib.decompress(self._map[place:place + int(length)]))
            place += int(length)
        expected = 0 if not count else (count - 1) * size + (last or size)
        data = b"".join(parts)
        if len(data) != expected:
            raise OSError(f"{self.path}: a packed array has {len(data)} bytes instead of {expected}")
        return data


class Arrays(dict):
    """The arrays of one section, read on demand."""

    def __init__(self, frame, section):
        super().__init__({array.get("Name"): array for array in (section if section is not None else ())})
        self._frame = frame

    def __getitem__(self, name):
        return self._frame.read(super().__getitem__(name))
