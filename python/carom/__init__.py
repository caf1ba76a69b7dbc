# SPDX-License-Identifier: MIT
"""carom: impact dynamics with an energy ledger that balances.

    import carom
    result = carom.run("drop.yaml", "out/drop", {"contact.friction": 0.3})
    print(result.summary["state_hash"], abs(result.history.residual).max())

    scene = carom.Scene.from_yaml("drop.yaml")        # a dict of the keys of a scene
    for row in scene.simulation():                    # one step at a time; row is the ledger
        print(row.time, row.kinetic)

    carom.study("drop.yaml", "out/study", {"contact.friction": [0, 0.1, 0.3]}).frame

A scene gives the same bits here and with the command."""
from . import mesh
from ._library import path as library_path
from ._version import __version__
from .errors import BadInput, Error, Finding, Interrupted, Numerical
from .forces import force
from .materials import element, integrator, law, material
from .mesh import Mesh
from .result import Result
from .run import run, threads
from .scene import Scene
from .simulation import Contact, Row, Simulation, simulate
from .study import Study, study

__all__ = ["BadInput", "Contact", "Error", "Finding", "Interrupted", "Mesh", "Numerical", "Result", "Row", "Scene", "Simulation",
           "Study", "__version__", "element", "force", "integrator", "law", "library_path", "material", "mesh", "run", "simulate",
           "study", "threads"]
