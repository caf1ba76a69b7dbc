# SPDX-License-Identifier: MIT
# %% [markdown]
# # From a mesh to a drop test, with a study
#
# A bracket of polymer is dropped on a floor. How large are stress and force, and how do they depend on the angle at which it
# arrives? The mesh is made here from arrays, so that the notebook stands alone; `carom.mesh.read("part.msh")` takes one from a file.
# %%
import carom
import matplotlib.pyplot as plt
import numpy as np

# an L of bricks: a leg of 60 x 20 x 10 mm and one of 20 x 20 x 40 mm, cells of 5 mm
cell, inside = 0.005, lambda i, j, k: k < 2 or i < 4
number, nodes, bricks = {}, [], []
for i in range(12):
    for j in range(4):
        for k in range(10):
            if not inside(i, j, k):
                continue
            brick = []
            for di, dj, dk in ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)):
                key = (i + di, j + dj, k + dk)
                if key not in number:
                    number[key] = len(nodes)
                    nodes.append([cell * component for component in key])
                brick.append(number[key])
            bricks.append(brick)
part = carom.Mesh(nodes, {"hex8": bricks})
print(part, part.faults() or "without faults", {key: value for key, value in part.measure().items() if key in ("volume", "area")})
# %% [markdown]
# ## The drop
#
# One metre of fall is 4.43 m/s. The part is turned about the y axis and put just above the floor.
# %%
height = 1.0
speed = (2 * 9.81 * height) ** 0.5


def scene(angle):
    turn = np.radians(angle)
    x = np.asarray(nodes) @ np.array([[np.cos(turn), 0, -np.sin(turn)], [0, 1, 0], [np.sin(turn), 0, np.cos(turn)]])
    x[:, 2] += 1e-4 - x[:, 2].min()
    return carom.Scene(
        title=f"A bracket dropped at {angle} degrees", units={"length": "m", "mass": "kg", "time": "s"},
        integrator=carom.integrator.newmark_dcr(), time={"end": 1.5e-3}, gravity=[0, 0, -9.81],
        bodies=[{"name": "part", "mesh": carom.Mesh(x, {"hex8": bricks}), "element": "hex8",
                 "material": carom.material.neo_hookean(young=2.3e9, poisson=0.35, density=1050.0),
                 "velocity": [0, 0, -speed], "damping": {"stiffness": 2e-7}}],
        contact={"restitution": 0, "friction": 0.3, "planes": [{"name": "floor", "point": [0, 0, 0], "normal": [0, 0, 1]}]},
        output={"history": {"pairs": True}, "fields": {"every": 40}},
        expect={"intersections": 0, "energy_error": "< 0.01"})


result = scene(30).run("drop_30", progress=False)
assert result.passed
result.plot()
# %% [markdown]
# Force of the floor over time, and the largest von Mises stress of each frame:
# %%
figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
pairs = result.pairs
axes[0].plot(1e3 * pairs["time"], pairs["normal"] / 1e3)
axes[0].set(xlabel="time (ms)", ylabel="force of the floor (kN)")
frames = result.fields
peak = [frame["von_mises"].max() / 1e6 for _, frame in frames]
axes[1].plot(1e3 * frames.times, peak)
axes[1].set(xlabel="time (ms)", ylabel="largest von Mises stress (MPa)")
print(f"force {pairs['normal'].max():.0f} N, stress {max(peak):.1f} MPa")
# %% [markdown]
# The most stressed moment:
# %%
frame = frames.at(int(np.argmax(peak)))
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

points, stress = 1e3 * frame.points, frame.at_points["von_mises_nodes"] / 1e6
faces = part.with_surface().face_sets["surface"]
figure = plt.figure(figsize=(7, 4.6), layout="constrained")
axes = figure.add_subplot(projection="3d")
shown = Poly3DCollection(points[faces], array=stress[faces].mean(axis=1), cmap="viridis", edgecolor="#00000030", linewidth=0.4)
axes.add_collection3d(shown)
low, high = points.min(axis=0), points.max(axis=0)
axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(0, high[2]), xlabel="x (mm)", zlabel="z (mm)", yticks=[])
axes.set_box_aspect(high - low)
axes.view_init(elev=18, azim=-70)
figure.colorbar(shown, label="von Mises stress (MPa)", shrink=0.7);
# %% [markdown]
# ## A study over the angle
#
# Meshes differ from case to case here, so the runs are a loop; `carom.study` does the same in processes for keys of a scene.
# %%
angles = [0, 15, 30, 45, 60, 75, 90]
forces, stresses = [], []
for angle in angles:
    case = scene(angle).run(f"drop_{angle}", progress=False)
    assert case.passed
    forces.append(case.pairs["normal"].max())
    stresses.append(max(frame["von_mises"].max() for _, frame in case.fields))
figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
axes[0].plot(angles, np.array(forces) / 1e3, "o-")
axes[0].set(xlabel="angle (degrees)", ylabel="largest force (kN)", ylim=(0, None))
axes[1].plot(angles, np.array(stresses) / 1e6, "o-")
axes[1].set(xlabel="angle (degrees)", ylabel="largest stress (MPa)", ylim=(0, None));
# %% [markdown]
# Flat on a face the force is largest; on an edge or a corner the stress is.
# %%
study = carom.study(scene(30), "friction_study", {"contact.friction": [0, 0.2, 0.4]}, jobs=2)
for case in study.results:
    friction = carom.Scene.from_yaml(case.directory / "scene.yaml")["contact"]["friction"]
    print(f"friction {friction}: {case.history.friction[-1]:.4f} J of {case.history.total[0]:.4f} J lost by it")
