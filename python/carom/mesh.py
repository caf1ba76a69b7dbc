# SPDX-License-Identifier: MIT
"""Meshes: made by a generator, read from files, built from arrays, checked, measured, written, exchanged with meshio.

Each generator of a scene is a function here, with its parameters and their documentation: `carom.mesh.ball(radius=0.01,
divisions=4, layers=3)`. The result is the entry of the mesh in a scene (a map with one key), and generates the mesh on access to
`nodes`, `cells` or `mesh()`."""
import ctypes
import json
import os
import warnings
from typing import TYPE_CHECKING, Callable

import numpy as np

from . import _api
from ._kinds import catalogue, function_of
from ._library import call, check, findings_of, library

CELLS = ("point", "line2", "tri3", "quad4", "tet4", "hex8", "wedge6")
SIZES = dict(zip(CELLS, (1, 2, 3, 4, 4, 8, 6)))
FAULTS = ("inverted", "degenerate", "unused", "duplicate", "non_manifold", "orientation", "overlap", "open")
# as meshio calls them
MESHIO = {"point": "vertex", "line2": "line", "tri3": "triangle", "quad4": "quad", "tet4": "tetra", "hex8": "hexahedron", "wedge6": "wedge"}


class Owned:
    """A carom_mesh of the library, released with this object."""

    def __init__(self):
        self.c = _api.carom_mesh()

    def __del__(self):
        library.carom_mesh_release(ctypes.byref(self.c))


def numbers(address, shape, kind):
    """A copy of numbers of the library."""
    count = int(np.prod(shape))
    if not address or not count:
        return np.zeros(shape, kind)
    size = np.dtype(kind).itemsize * count
    return np.frombuffer(ctypes.string_at(address, size), kind).reshape(shape).copy()


class Mesh:
    """Nodes, cells and named sets.

    nodes      array (n, 3)
    cells      list of (type, array (m, size)), type one of point, line2, tri3, quad4, tet4, hex8; nodes in the order of VTK
    sets       {name: nodes}
    cell_sets  {name: cells}, counted through all blocks in order
    face_sets  {name: array (m, 4)}, -1 after the last node of a triangle

    Built from arrays, `cells` may also be a dict {type: array}."""

    def __init__(self, nodes, cells, sets=None, cell_sets=None, face_sets=None):
        self.nodes = np.array(nodes, dtype=float, copy=True)
        if self.nodes.ndim == 2 and self.nodes.shape[1] == 2:
            self.nodes = np.column_stack([self.nodes, np.zeros(len(self.nodes))])
        if self.nodes.ndim != 2 or self.nodes.shape[1] != 3:
            raise ValueError(f"nodes must be an array (n, 3), not {np.shape(nodes)}")
        self.cells = []
        for kind, block in cells.items() if isinstance(cells, dict) else cells:
            if kind not in SIZES:
                raise ValueError(f"there are no cells {kind!r}; there are {', '.join(CELLS)}")
            block = np.array(block, dtype=np.int32, ndmin=2, copy=True)
            if block.ndim != 2 or block.shape[1] != SIZES[kind]:
                raise ValueError(f"cells {kind} must be an array (n, {SIZES[kind]}), not {block.shape}")
            if block.size and (block.min() < 0 or block.max() >= len(self.nodes)):
                raise ValueError(f"cells {kind} name node {block.max() if block.max() >= len(self.nodes) else block.min()}, "
                                 f"and there are nodes 0 to {len(self.nodes) - 1}")
            self.cells.append((kind, block))
        self.sets = {name: np.asarray(value, np.int32) for name, value in (sets or {}).items()}
        self.cell_sets = {name: np.asarray(value, np.int32) for name, value in (cell_sets or {}).items()}
        self.face_sets = {name: np.asarray(value, np.int32).reshape(-1, 4) for name, value in (face_sets or {}).items()}
        for what, sets_, limit in (("set", self.sets, len(self.nodes)), ("cell set", self.cell_sets, self.cell_count)):
            for name, value in sets_.items():
                if value.size and (value.min() < 0 or value.max() >= limit):
                    raise ValueError(f"{what} {name!r} goes beyond 0 to {limit - 1}")

    @property
    def cell_count(self):
        """Number of cells of all blocks."""
        return sum(len(block) for _, block in self.cells)

    def __repr__(self):
        cells = ", ".join(f"{len(block)} {kind}" for kind, block in self.cells)
        return f"<Mesh: {len(self.nodes)} nodes, {cells or 'no cells'}>"

    @classmethod
    def _of(cls, owned):
        c = owned.c
        cells, sets, cell_sets, face_sets = [], {}, {}, {}
        for i in range(c.block_count):
            block = c.blocks[i]
            kind = CELLS[block.type]
            cells.append((kind, numbers(block.nodes, (block.count, SIZES[kind]), np.int32)))
        for i in range(c.set_count):
            sets[c.sets[i].name.decode()] = numbers(c.sets[i].nodes, (c.sets[i].count,), np.int32)
        for i in range(c.cell_set_count):
            cell_sets[c.cell_sets[i].name.decode()] = numbers(c.cell_sets[i].cells, (c.cell_sets[i].count,), np.int32)
        for i in range(c.face_set_count):
            face_sets[c.face_sets[i].name.decode()] = numbers(c.face_sets[i].nodes, (c.face_sets[i].count, 4), np.int32)
        return cls(numbers(c.nodes, (c.node_count, 3), float), cells, sets, cell_sets, face_sets)

    def _owned(self):
        owned = Owned()
        at = ctypes.byref(owned.c)
        if not self.cells:
            raise ValueError("the mesh has no cells")
        for index, (kind, block) in enumerate(self.cells):
            if index == 0:
                call("carom_mesh_allocate", at, len(self.nodes), CELLS.index(kind), len(block))
                ctypes.memmove(owned.c.nodes, np.ascontiguousarray(self.nodes, float).ctypes.data, 24 * len(self.nodes))
            else:
                call("carom_mesh_add_block", at, CELLS.index(kind), len(block))
            if block.size:
                data = np.ascontiguousarray(block, np.int32)
                ctypes.memmove(owned.c.blocks[index].nodes, data.ctypes.data, data.nbytes)
        for add, sets in (("carom_mesh_add_set", self.sets), ("carom_mesh_add_cell_set", self.cell_sets),
                          ("carom_mesh_add_face_set", self.face_sets)):
            for name, value in sets.items():
                data = np.ascontiguousarray(value, np.int32)
                call(add, at, name.encode(), data.ctypes.data, len(data))
        return owned

    def write(self, path):
        """Writes .vtu or .msh, by the end of the name."""
        owned = self._owned()  # named: it must outlive the call
        call("carom_mesh_write", ctypes.byref(owned.c), os.fsencode(path))

    def faults(self):
        """The faults of the mesh: {fault: count} of inverted, degenerate, unused, duplicate, ...; empty if there are none."""
        owned, faults = self._owned(), _api.carom_mesh_faults()
        call("carom_mesh_check", ctypes.byref(owned.c), ctypes.byref(faults))
        return {name: faults.count[i] for i, name in enumerate(FAULTS) if faults.count[i]}

    def fixed(self):
        """A copy with all faults repaired that have a unique repair."""
        owned, changes = self._owned(), _api.carom_mesh_faults()
        call("carom_mesh_fix", ctypes.byref(owned.c), ctypes.byref(changes))
        return Mesh._of(owned)

    def measure(self):
        """low and high corner of the box, volume, area, length, shortest_edge, longest_edge, worst_quality, closed."""
        owned, facts = self._owned(), _api.carom_mesh_facts()
        call("carom_mesh_measure", ctypes.byref(owned.c), ctypes.byref(facts))
        result = {name: getattr(facts, name) for name in ("volume", "area", "length", "shortest_edge", "longest_edge",
                                                          "worst_quality", "closed")}
        return {"low": np.array(facts.low), "high": np.array(facts.high), **result}

    def with_surface(self):
        """A copy with the surface of its solid cells as node set and face set `surface`."""
        owned = self._owned()
        call("carom_mesh_name_surface", ctypes.byref(owned.c))
        return Mesh._of(owned)

    def to_meshio(self):
        """A meshio.Mesh with the node sets as point sets."""
        import meshio
        return meshio.Mesh(self.nodes, [(MESHIO[kind], block) for kind, block in self.cells],
                           point_sets={name: np.asarray(value) for name, value in self.sets.items()})

    def to_pyvista(self):
        """A pyvista.UnstructuredGrid."""
        import pyvista
        vtk = {"point": 1, "line2": 3, "tri3": 5, "quad4": 9, "tet4": 10, "hex8": 12, "wedge6": 13}
        cells = [np.column_stack([np.full(len(block), SIZES[kind]), block]).ravel() for kind, block in self.cells]
        kinds = np.concatenate([np.full(len(block), vtk[kind], np.uint8) for kind, block in self.cells])
        return pyvista.UnstructuredGrid(np.concatenate(cells), kinds, self.nodes)


def from_meshio(mesh):
    """A Mesh of a meshio.Mesh. Cells of other types than those of carom are refused."""
    names = {value: key for key, value in MESHIO.items()}
    unknown = sorted({block.type for block in mesh.cells} - set(names))
    if unknown:
        raise ValueError(f"there are no cells {', '.join(unknown)}; there are {', '.join(names)}")
    return Mesh(mesh.points, [(names[block.type], block.data) for block in mesh.cells],
                {name: nodes for name, nodes in mesh.point_sets.items()})


def read(path):
    """Reads a mesh file in one of the formats that scenes read (.msh, .inp, .stl, .obj, .ply, .vtu, .vtk, .mesh, .unv). Remarks
    of the reader are warnings."""
    owned, error = Owned(), _api.carom_error()
    definition = library.carom_default_mesh_read_def()
    remarks = []

    def remark(_context, message):
        remarks.append(message.decode("utf-8", "replace"))

    definition.warn = type(definition.warn)(remark)
    status = library.carom_mesh_read(os.fsencode(path), ctypes.byref(definition), ctypes.byref(owned.c), ctypes.byref(error))
    check(status, error)
    for text in remarks:
        warnings.warn(text, stacklevel=2)
    return Mesh._of(owned)


def generate(description):
    """The mesh of a description as for the key `mesh` of a scene, {"ball": {"radius": 1, ...}}."""
    owned, findings, error = Owned(), _api.carom_findings(), _api.carom_error()
    status = library.carom_scene_mesh(json.dumps(description).encode(), None, 0, ctypes.byref(owned.c), ctypes.byref(findings),
                                      ctypes.byref(error))
    found = findings_of(findings.items, findings.count)
    library.carom_findings_release(ctypes.byref(findings))
    check(status, error, found)
    return Mesh._of(owned)


class Recipe(dict):
    """The description of a mesh in a scene; generates the mesh when it is needed."""

    def mesh(self):
        """The mesh itself."""
        return generate(dict(self))

    @property
    def nodes(self):
        """The nodes of the mesh, which is generated at each call."""
        return self.mesh().nodes

    @property
    def cells(self):
        """The cells of the mesh, which is generated at each call."""
        return self.mesh().cells


if TYPE_CHECKING:
    # for type checkers: the functions that the loop below makes from the catalogue of the library (a test compares the names)
    curve: Callable[..., Recipe]
    line: Callable[..., Recipe]
    point: Callable[..., Recipe]
    rectangle: Callable[..., Recipe]
    box: Callable[..., Recipe]
    plate: Callable[..., Recipe]
    ring: Callable[..., Recipe]
    disc: Callable[..., Recipe]
    hexagonal_disc: Callable[..., Recipe]
    cylinder: Callable[..., Recipe]
    tube: Callable[..., Recipe]
    sphere: Callable[..., Recipe]
    ball: Callable[..., Recipe]
    cube: Callable[..., Recipe]
    file: Callable[..., Recipe]


for _kind in catalogue("carom_generators"):
    globals()[_kind.identifier] = function_of(_kind, Recipe, __name__)
del _kind
