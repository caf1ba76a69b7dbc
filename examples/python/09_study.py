# SPDX-License-Identifier: MIT
"""A study in processes: how far a puck slides for some coefficients of friction; one row of the table for each."""
import tempfile

import carom

g, speed = 9.81, 2.0
scene = carom.Scene(
    integrator=carom.integrator.newmark_dcr(), time={"end": 3.0, "step": 1e-3}, gravity=[0, 0, -g],
    bodies=[{"name": "puck", "mesh": carom.mesh.point(at=[0, 0, 0]), "element": carom.element.point_mass(mass=1),
             "velocity": [speed, 0, 0]}],
    contact={"friction": 0.1, "planes": [{"name": "ice", "point": [0, 0, 0], "normal": [0, 0, 1]}]},
    output={"probes": [{"name": "puck", "body": "puck"}], "fields": {"every": 0}})

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        study = carom.study(scene, folder, {"contact.friction": [0.1, 0.2, 0.4, 0.8]}, jobs=2)
        for result in study.results:
            mu = carom.Scene.from_yaml(result.directory / "scene.yaml")["contact"]["friction"]
            distance = result.probes["puck.x"][-1]
            print(f"mu = {mu}: {distance:.4f}, v^2 / (2 mu g) = {speed ** 2 / (2 * mu * g):.4f}")
            assert abs(distance - speed ** 2 / (2 * mu * g)) < 5e-3 * distance
        assert len(study.table) == 4
