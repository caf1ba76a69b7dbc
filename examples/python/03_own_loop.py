# SPDX-License-Identifier: MIT
"""A loop of one's own over live arrays: a ball falls on a floor until it moves up again. No copy is made of positions."""
import carom
import numpy as np

scene = carom.Scene(
    integrator=carom.integrator.newmark_dcr(), time={"end": 1.0}, gravity=[0, 0, -9.81],
    bodies=[{"name": "ball", "mesh": carom.mesh.ball(center=[0, 0, 0.06], radius=0.05, divisions=2, layers=1),
             "element": "hex8",
             "material": carom.material.neo_hookean(young=1e6, poisson=0.3, density=1000.0)}],
    contact={"planes": [{"name": "floor", "point": [0, 0, 0], "normal": [0, 0, 1]}]})
sim = scene.simulation()
x, mass = sim.x, sim.mass
lowest = np.inf
for row in sim.steps(10):
    lowest = min(lowest, x[:, 2].min())  # x is the memory of the library: it changes with each step
    if row.time > 0.02 and mass @ sim.v[:, 2] > 0:
        break
print(f"turned at t = {sim.time:.4f} s after {sim.step_number} steps; "
      f"lowest node at {lowest:.2g}, residual {row.residual:.2g} J")

# fall of 1 cm takes sqrt(2 h / g) = 0.045 s, and nothing goes through the floor
assert 0.045 < sim.time < 0.06
assert lowest > -1e-12
assert abs(row.residual) < 0.01 * mass.sum() * 9.81 * 0.01
