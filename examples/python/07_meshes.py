# SPDX-License-Identifier: MIT
"""Meshes: generated, from arrays, measured, mended, written, read; and in a scene."""
import tempfile
from pathlib import Path

import carom
import numpy as np

ball = carom.mesh.ball(radius=1.0, divisions=6, layers=6).mesh()
volume = ball.measure()["volume"]
print(ball, f"volume {volume:.4f} of {4 / 3 * np.pi:.4f}")
assert abs(volume - 4 / 3 * np.pi) < 0.04 * volume

# a wedge of two tetrahedra, one of them inside out, and one node given twice
nodes = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0], [1, 1, 1]]
wedge = carom.Mesh(nodes, {"tet4": [[0, 1, 2, 3], [4, 2, 3, 5]]})
print("faults:", wedge.faults())
mended = wedge.fixed()
assert "duplicate" in wedge.faults() and mended.faults() == {}
assert len(mended.nodes) == 5

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "wedge.msh"
    mended.write(path)
    again = carom.mesh.read(path)
    assert np.array_equal(again.nodes, mended.nodes)

    scene = carom.Scene(integrator="newmark-dcr", time={"end": 0.1}, bodies=[
        {"name": "wedge", "mesh": mended, "element": "tet4", "material": carom.material.neo_hookean(young=1.0, density=1.0),
         "spin": [0, 0, 0.1]}])
    scene.write(Path(folder) / "wedge.yaml")
    print(sorted(item.name for item in Path(folder).iterdir()))
    sim = scene.simulation()
    sim.run_until(0.1)
    assert abs(sim.ledger.angular_momentum[2] - carom.simulate(Path(folder) / "wedge.yaml").ledger.angular_momentum[2]) < 1e-15
