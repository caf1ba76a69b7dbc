#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files that pack as many cells or nodes as they can into few bytes: reading, checking, mending and renumbering them take at most 20 times
the size of the file plus 64 MiB. Skipped under sanitizers, whose own memory counts."""
import os
import random
import struct
import subprocess
import sys
import unittest
from pathlib import Path

import cli

SIZE = 3_000_000
LARGE = 20_000_000
CORNERS = b"0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 1 1\n1 1 1\n1 0 1\n1 1 0\n"


def repeat(row, head=0):
    """A row as often as it fits."""
    return row * max(1, (SIZE - head) // len(row))


def ply(row, vertices=256):
    """A binary PLY file of vertices that are bytes, whose faces are the same row again and again."""
    points = random.Random(1).randbytes(3 * vertices)
    rows = repeat(row, len(points))
    return (b"ply\nformat binary_little_endian 1.0\nelement vertex %d\n" % vertices +
            b"property uchar x\nproperty uchar y\nproperty uchar z\nelement face %d\n" % (len(rows) // len(row)) +
            b"property list uchar uchar vertex_indices\nend_header\n" + points + rows)


def obj(rows):
    return b"".join(b"v " + line + b"\n" for line in CORNERS.splitlines()) + rows


def vtk(corners, kind, apart=False):
    """A legacy VTK file of equal cells, or of cells that share no node."""
    count = SIZE // ((14 if apart else 2) * corners + 5)
    cells = (b"%d %s\n" % (corners, b" ".join(b"%d" % (apart * corners * c + i) for i in range(corners))) for c in range(count))
    points = b"".join(CORNERS.splitlines(True)[:corners]) * (count if apart else 1)
    return (b"# vtk DataFile Version 2.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS %d float\n" % points.count(b"\n") + points +
            b"CELLS %d %d\n" % (count, (corners + 1) * count) + b"".join(cells) +
            b"CELL_TYPES %d\n" % count + (b"%d " % kind) * count)


def msh():
    count = SIZE // 20
    nodes = b"".join(b"%d %s\n" % (i + 1, line) for i, line in enumerate(CORNERS.splitlines()))
    return (b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n8\n" + nodes + b"$EndNodes\n$Elements\n%d\n" % count +
            b"".join(b"%d 4 0 %d 2 3 4\n" % (i + 1, 5 + i % 4) for i in range(count)) + b"$EndElements\n")


def stl():
    count = SIZE // 50
    return bytes(80) + struct.pack("<I", count) + struct.pack("<12fH", *[0] * 3, *range(9), 0) * count


def nodes_alone():
    """Nodes that nothing uses, in a format where they are short."""
    rows = repeat(b"0 0\n")
    return (b"ply\nformat ascii 1.0\nelement vertex %d\nproperty float x\nproperty float y\n" % rows.count(b"\n") +
            b"element face 1\nproperty list uchar int vertex_indices\nend_header\n" + rows + b"3 0 1 2\n")


FILES = {
    "polygons_of_three.ply": lambda: ply(b"\xff" + b"\0\1\2" * 85),
    "polygons.ply": lambda: ply(b"\xff" + bytes(range(255))),
    "triangles.ply": lambda: ply(b"\3\0\1\2"),
    "quads.ply": lambda: ply(b"\4\0\1\2\3"),
    "bytes_as_nodes.ply": lambda: ply(b"\3\0\1\2", vertices=SIZE // 4),
    "nodes_alone.ply": nodes_alone,
    "one_face.obj": lambda: obj(b"f " + repeat(b"1 2 3 ")),
    "one_point.obj": lambda: obj(b"f " + repeat(b"1 ")),
    "faces.obj": lambda: obj(repeat(b"f 1 2 3\n")),
    "fans.obj": lambda: obj(repeat(b"f 1 2 3 4 5\n")),
    "line.obj": lambda: obj(b"l " + repeat(b"1 2 ")),
    "points.obj": lambda: obj(b"p " + repeat(b"1 ")),
    "tets.vtk": lambda: vtk(4, 10),
    "hexes.vtk": lambda: vtk(8, 12),
    "triangles.vtk": lambda: vtk(3, 5),
    "tets_apart.vtk": lambda: vtk(4, 10, apart=True),
    "hexes_apart.vtk": lambda: vtk(8, 12, apart=True),
    "tets.msh": msh,
    "triangles.stl": stl,
}


def inp(head, row, tail=b"", before=b""):
    return before + head + LARGE // len(row) * row + tail


def vtu(kind, corners, points):
    """Cells whose points, ends and types take as few bytes as VTK allows, appended as they are."""
    count = LARGE // (corners + 9)
    arrays = (struct.pack("<I", 12 * points) + random.Random(2).randbytes(2 * points).hex().encode().ljust(12 * points, b"1")[:12 * points],
              struct.pack("<I", corners * count) + bytes(range(corners)) * count,
              struct.pack("<I", 8 * count) + b"".join(struct.pack("<q", corners * (c + 1)) for c in range(count)),
              struct.pack("<I", count) + bytes([kind]) * count)
    names = (("Float32", "Points"), ("UInt8", "connectivity"), ("Int64", "offsets"), ("UInt8", "types"))
    offsets = [sum(map(len, arrays[:i])) for i in range(4)]
    tags = [f'<DataArray type="{t}" Name="{n}" NumberOfComponents="{3 if n == "Points" else 1}" format="appended" offset="{o}"/>'
            for (t, n), o in zip(names, offsets)]
    return (f'<VTKFile type="UnstructuredGrid" byte_order="LittleEndian"><UnstructuredGrid><Piece NumberOfPoints="{points}" '
            f'NumberOfCells="{count}"><Points>{tags[0]}</Points><Cells>{"".join(tags[1:])}</Cells></Piece></UnstructuredGrid>'
            '<AppendedData encoding="raw">_').encode() + b"".join(arrays) + b"</AppendedData></VTKFile>"


# large enough that the factor shows beside the 64 MiB
LARGE_FILES = {
    "same_node.inp": lambda: inp(b"*NODE\n", b"1\n", b"2000000000\n"),
    "same_node_in_set.inp": lambda: inp(b"*NODE, NSET=A\n", b"1\n", b"90000000\n"),
    "set_of_one.inp": lambda: inp(b"*NSET, NSET=A\n", b"1\n", before=b"*NODE\n1\n2,1\n*ELEMENT,TYPE=T3D2\n1,1,2\n"),
    "lines.inp": lambda: b"*NODE\n1\n2,1\n*ELEMENT,TYPE=T3D2\n" + b"".join(b"%d,1,2\n" % (i + 1) for i in range(LARGE // 12)),
    "triangles.vtu": lambda: vtu(5, 3, 8),
    "hexes.vtu": lambda: vtu(12, 8, 8),
}


def is_sanitized():
    cache = Path(os.environ.get("CAROM_BUILD", "build")) / "CMakeCache.txt"
    return any(line.startswith("CAROM_SANITIZE:") and line.strip()[-1] != "=" for line in cache.open(encoding="utf-8"))


# Linux counts the memory of the parent as that of a new process, so that a small one starts the command.
LAUNCHER = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def peak(*arguments, folder):
    """Exit code, stderr, and the largest memory in bytes."""
    launched = subprocess.run([sys.executable, "-c", LAUNCHER, cli.CAROM, "mesh", *arguments], cwd=folder, capture_output=True, check=True)
    code, memory = map(int, launched.stdout.split())
    return code, launched.stderr.decode(errors="replace"), 1024 * memory


class Memory(cli.CommandTest):
    def test_included_once(self):
        """A deck that includes one file again and again holds no more than it."""
        (self.folder / "inc.inp").write_bytes(b"*NODE\n" + b"1\n" * 1_000_000)
        (self.folder / "deck.inp").write_bytes(b"*INCLUDE, INPUT=inc.inp\n" * 200)
        code, err, memory = peak("deck.inp", folder=self.folder)
        self.assertEqual(code, 2, err)
        self.assertLess(memory, 20 * 2_000_000 + (64 << 20))

    def test_large(self):
        for name, make in LARGE_FILES.items():
            with self.subTest(file=name):
                path = self.folder / name
                path.write_bytes(make())
                code, err, memory = peak(name, folder=self.folder)
                self.assertIn(code, (0, 2), err)
                self.assertLess(memory, 20 * path.stat().st_size + (64 << 20))
                path.unlink()

    def test_bound(self):
        for name, make in FILES.items():
            path = self.folder / name
            path.write_bytes(make())
            for options in ([], ["--fix", "--renumber"]):
                with self.subTest(file=name, options=options):
                    code, err, memory = peak(name, *options, folder=self.folder)
                    self.assertIn(code, (0, 2), err)
                    size = path.stat().st_size
                    self.assertLess(memory, 20 * size + (64 << 20))
            path.unlink()


if __name__ == "__main__":
    if is_sanitized():
        sys.exit(cli.SKIPPED)
    cli.main()
