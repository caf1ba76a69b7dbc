# SPDX-License-Identifier: MIT
"""A scene built from dicts: a bar thrown against a wall stays there for twice the time of a wave along it, and leaves with the
speed it came with."""
import carom

young, density, length, speed = 200e9, 8000.0, 1.0, 1.0
wave = (young / density) ** 0.5
scene = carom.Scene(
    title="A bar against a wall",
    integrator=carom.integrator.newmark_dcr(),
    time={"end": 4 * length / wave, "step": 0.5 * length / 200 / wave},
    bodies=[{
        "name": "bar",
        "mesh": carom.mesh.line(from_=[0, 0, 0], to=[length, 0, 0], elements=200),
        "element": carom.element.bar(area=1e-4),
        "material": carom.material.linear(young=young, density=density),
        "velocity": [-speed, 0, 0],
    }],
    contact={"planes": [{"name": "wall", "point": [0, 0, 0], "normal": [1, 0, 0]}]},
)
sim = scene.simulation()
touched = []
sim.on_contact(lambda contact: touched.append(contact.time))
sim.run_until(float("inf"))
duration = touched[-1] - touched[0]
print(f"contact lasts {duration * 1e6:.1f} us; theory 2 L / c = {2 * length / wave * 1e6:.1f} us")
print(f"speed afterwards {sim.probe('bar')['velocity'][0]:.4f} of {speed}")
assert abs(duration - 2 * length / wave) < 0.03 * 2 * length / wave
assert abs(sim.probe("bar")["velocity"][0] - speed) < 0.02 * speed
