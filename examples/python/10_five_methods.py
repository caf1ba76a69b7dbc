# SPDX-License-Identifier: MIT
"""Five methods on one impact: a bar hits an equal one at rest. They part after the time 2 L / c of a wave along them, and have
exchanged their velocities. Four methods have bars of plane elements, `multisymplectic` has bar elements."""
import carom

length, height, young, density, speed = 1.0, 0.1, 1.0, 1.0, 0.01
cells = 40


def scene(method):
    line = method == "multisymplectic"
    if line:
        mesh = [carom.mesh.line(from_=[a, 0, 0], to=[a + length, 0, 0], elements=cells) for a in (0, length + 1e-6)]
    else:
        mesh = [carom.mesh.rectangle(from_=[a, 0, 0], to=[a + length, height, 0], columns=cells, rows=2)
                for a in (0, length + 1e-6)]
    element = carom.element.bar(area=height) if line else carom.element.quad4(plane="stress")
    material = (carom.material.linear if line else carom.material.neo_hookean)(young=young, density=density)
    bodies = [{"name": name, "mesh": mesh[i], "element": element, "material": material, "velocity": [speed * (1 - i), 0, 0]}
              for i, name in enumerate(("left", "right"))]
    step = 0.25 * length / cells
    return carom.Scene(integrator={method: {}}, time={"end": 3 * length, "step": step}, bodies=bodies,
                       contact={"restitution": 1})


for method in ("newmark-dcr", "asynchronous", "nonsmooth-newmark", "energy-momentum", "multisymplectic"):
    sim = scene(method).simulation()
    start, largest, touched = sim.ledger, 0, []
    for row in sim.steps(1):
        largest = max(largest, abs(row.residual))
        if row.contacts:
            touched.append(row.time)
    left, right = (sim.probe(name)["velocity"][0] / speed for name in ("left", "right"))
    print(f"{method:18} contact until {touched[-1]:.3f} (2 L / c = 2), velocities {left:6.3f} {right:6.3f}, "
          f"residual {largest / start.kinetic:.1e}, "
          f"momentum {abs(row.momentum[0] - start.momentum[0]) / start.momentum[0]:.0e}")
    assert abs(touched[-1] - 2) < 0.15
    assert abs(left) < 0.06 and abs(right - 1) < 0.06
    assert abs(row.momentum[0] - start.momentum[0]) < 1e-9 * start.momentum[0]
    assert largest < 0.03 * start.kinetic
