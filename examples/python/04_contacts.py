# SPDX-License-Identifier: MIT
"""Each impulse of contact by callback: a point that slides on a plane under gravity stops where Coulomb says."""
import carom

friction, speed, g = 0.4, 2.0, 9.81
scene = carom.Scene(
    integrator=carom.integrator.newmark_dcr(), time={"end": 1.0, "step": 1e-3}, gravity=[0, 0, -g],
    bodies=[{"name": "puck", "mesh": carom.mesh.point(at=[0, 0, 0]), "element": carom.element.point_mass(mass=0.5),
             "velocity": [speed, 0, 0]}],
    contact={"friction": friction, "planes": [{"name": "ice", "point": [0, 0, 0], "normal": [0, 0, 1]}]})
sim = scene.simulation()
states, lost = [], []


def record(contact):
    states.append(contact.slips)
    lost.append(contact.friction)


sim.on_contact(record)
sim.run_until(1.0)
distance = sim.x[0, 0]
print(f"slid {distance:.4f}, v^2 / (2 mu g) = {speed ** 2 / (2 * friction * g):.4f}; "
      f"{sum(states)} of {len(states)} impulses slid")
assert abs(distance - speed ** 2 / (2 * friction * g)) < 2e-3 * distance
assert abs(sum(lost) - 0.5 * 0.5 * speed ** 2) < 1e-3
assert abs(sim.ledger.friction - sum(lost)) < 1e-12
