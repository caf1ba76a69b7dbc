# SPDX-License-Identifier: MIT
"""Meshes are generated, built from arrays, written and read, repaired, and exchanged with meshio."""
import re
from pathlib import Path

import carom
import numpy as np
import pytest
from carom._kinds import catalogue

TET = carom.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], {"tet4": [[0, 1, 2, 3]]}, sets={"base": [0, 1, 2]})


def test_generators_are_those_of_the_library():
    ball = carom.mesh.ball(radius=2.0, divisions=2, layers=2)
    assert dict(ball) == {"ball": {"radius": 2.0, "divisions": 2, "layers": 2}}
    mesh = ball.mesh()
    assert mesh.measure()["volume"] == pytest.approx(4 / 3 * np.pi * 8, rel=0.25)
    assert np.linalg.norm(mesh.nodes[mesh.sets["surface"]], axis=1) == pytest.approx(2.0)
    assert "divisions: a whole number" in carom.mesh.ball.__doc__
    assert carom.mesh.line(from_=[0, 0, 0], to=[1, 0, 0], elements=3)["line"]["from"] == [0, 0, 0]


def test_type_checkers_know_the_generators():
    text = Path(carom.mesh.__file__).read_text(encoding="utf-8")
    declared = set(re.findall(r"^    (\w+): Callable\[\.\.\., Recipe\]$", text, re.M))
    assert declared == {kind.identifier for kind in catalogue("carom_generators")}
    assert (Path(carom.__file__).parent / "py.typed").exists()


@pytest.mark.parametrize("end", ["vtu", "msh"])
def test_written_and_read(tmp_path, end):
    mesh = carom.mesh.box(from_=[0, 0, 0], to=[1, 2, 3], elements=[2, 2, 2], cells="tet4").mesh()
    mesh.write(tmp_path / f"box.{end}")
    again = carom.mesh.read(tmp_path / f"box.{end}")
    assert np.array_equal(again.nodes, mesh.nodes)
    assert [(kind, block.tolist()) for kind, block in again.cells] == [(kind, block.tolist()) for kind, block in mesh.cells]
    # .vtu has no place for sets
    assert end == "vtu" or all(np.array_equal(again.sets[name], mesh.sets[name]) for name in ("xmin", "zmax"))


def test_faults_and_their_remedy():
    assert TET.faults() == {}
    turned = carom.Mesh(TET.nodes, {"tet4": [[0, 2, 1, 3]]})
    assert turned.faults() == {"inverted": 1}
    assert turned.fixed().faults() == {}
    assert TET.measure()["volume"] == pytest.approx(1 / 6)
    assert len(TET.with_surface().face_sets["surface"]) == 4
    assert "4 nodes, 1 tet4" in repr(TET)


def test_plane_meshes_take_two_coordinates():
    mesh = carom.Mesh([[0, 0], [1, 0], [0, 1]], {"tri3": [[0, 1, 2]]})
    assert mesh.nodes.shape == (3, 3) and mesh.measure()["area"] == pytest.approx(0.5)


def test_meshio():
    pytest.importorskip("meshio")
    other = TET.to_meshio()
    assert other.cells[0].type == "tetra"
    again = carom.mesh.from_meshio(other)
    assert np.array_equal(again.nodes, TET.nodes) and np.array_equal(again.sets["base"], [0, 1, 2])
    other.cells[0].type = "tetra10"
    with pytest.raises(ValueError, match="tetra10"):
        carom.mesh.from_meshio(other)
