# SPDX-License-Identifier: MIT
"""A force in Python: a mass on a spring swings with its own period, and the work of the force is in the ledger."""
import carom
import numpy as np

mass, stiffness = 2.0, 50.0
scene = carom.Scene(
    integrator=carom.integrator.newmark_dcr(), time={"end": 10.0, "step": 1e-3},
    bodies=[{"name": "mass", "mesh": carom.mesh.point(at=[1, 0, 0]), "element": carom.element.point_mass(mass=mass)}])


@carom.force("mass")
def spring(time, x, f):
    f[:] = -stiffness * x


sim = scene.simulation(forces=[spring])
positions = []
for row in sim.steps(10):
    positions.append(sim.x[0, 0])
omega = (stiffness / mass) ** 0.5
times = 0.01 * np.arange(1, len(positions) + 1)
print(f"largest deviation from cos(w t): {np.abs(positions - np.cos(omega * times)).max():.2g}; residual {row.residual:.2g} J")
assert np.abs(positions - np.cos(omega * times)).max() < 1e-4
# at rest in the middle all of the work, k x^2 / 2 = 25 J, has become motion; external is minus the work done
assert abs(row.kinetic + row.external) < 1e-3 * 25
assert abs(row.residual) < 1e-3 * 25
