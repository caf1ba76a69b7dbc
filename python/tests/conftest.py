# SPDX-License-Identifier: MIT
"""Scenes that several tests use. The tests import the package from the source tree and the library from the build folder
(CAROM_BUILD)."""
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
import carom  # noqa: E402

STEEL = {"neo-hookean": {"young": 2.0e5, "poisson": 0.3, "density": 8.0e-3}}


@pytest.fixture
def ball():
    """A small ball that falls on a floor."""
    return carom.Scene(
        title="ball", integrator={"newmark-dcr": {}}, time={"end": 2e-3}, gravity=[0, 0, -10],
        bodies=[{"name": "ball", "mesh": carom.mesh.ball(center=[0, 0, 1.01], radius=1.0, divisions=2, layers=1), "element": {"hex8": {}},
                 "material": STEEL, "velocity": [0, 0, -20]}],
        contact={"restitution": 0, "planes": [{"name": "floor", "point": [0, 0, 0], "normal": [0, 0, 1]}]},
        output={"history": {"every": 10}, "fields": {"every": 100}})


@pytest.fixture
def bars():
    """The path of the impact of two bars."""
    return ROOT / "scenes" / "papers" / "dcr" / "two_bars.yaml"
