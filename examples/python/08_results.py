# SPDX-License-Identifier: MIT
"""Results read back: history, probes, contact forces, frames by time; the largest stress by fields of cells."""
import tempfile

import carom

scene = carom.Scene(
    integrator=carom.integrator.newmark_dcr(), time={"end": 1.5e-3},
    bodies=[{"name": "block", "mesh": carom.mesh.box(from_=[0, 0, 0.001], to=[0.1, 0.1, 0.101], elements=[4, 4, 4]),
             "element": "hex8",
             "material": carom.material.neo_hookean(young=1e8, poisson=0.3, density=1200.0), "velocity": [0, 0, -2]}],
    contact={"restitution": 0, "planes": [{"name": "floor", "point": [0, 0, 0], "normal": [0, 0, 1]}]},
    output={"history": {"every": 2, "pairs": True}, "fields": {"every": 10},
            "probes": [{"name": "top", "body": "block", "set": "zmax"}]})
with tempfile.TemporaryDirectory() as folder:
    result = scene.run(folder)
    print("columns:", ", ".join(result.history.dtype.names[:8]), "...")
    print("top moves at", result.probes["top.vz"][-1])
    force, time = result.pairs["normal"], result.pairs["time"]
    print(f"largest contact force {force.max():.4g} N at {time[force.argmax()] * 1e3:.3f} ms")
    peaks = [(frame["von_mises"].max(), t) for t, frame in result.fields]
    print(f"largest von Mises stress in {len(peaks)} frames: {max(peaks)[0]:.4g} at {max(peaks)[1] * 1e3:.3f} ms")
    change = result.history.pz[-1] - result.history.pz[0]
    assert max(peaks)[0] > 0 and force.max() > 0
    assert result.fields[0.0].time == 0
    # what the floor gave is what the block has: rho V v is 2.4 kg m/s before
    assert abs(result.history.pz[0] + 2.4) < 1e-12 and change > 2.4
