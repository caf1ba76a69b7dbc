# SPDX-License-Identifier: MIT
# %% [markdown]
# # Five methods, one impact
#
# A bar hits an equal one at rest. They touch for the time $2 L / c$ of a wave along them and exchange their velocities. Each of the
# five methods of carom runs it; four with bars of plane elements, `multisymplectic` with bar elements. What does each conserve, and
# what does it cost?
# %%
import time

import carom
import matplotlib.pyplot as plt
import numpy as np

L, height, speed, cells = 1.0, 0.1, 0.01, 40
METHODS = ("newmark-dcr", "asynchronous", "nonsmooth-newmark", "energy-momentum", "multisymplectic")


def scene(method, cells=cells, part=0.25):
    line = method == "multisymplectic"
    places = (0, L + 1e-6)
    if line:
        meshes = [carom.mesh.line(from_=[a, 0, 0], to=[a + L, 0, 0], elements=cells) for a in places]
        element, law = carom.element.bar(area=height), carom.material.linear
    else:
        meshes = [carom.mesh.rectangle(from_=[a, 0, 0], to=[a + L, height, 0], columns=cells, rows=2) for a in places]
        element, law = carom.element.quad4(plane="stress"), carom.material.neo_hookean
    bodies = [{"name": name, "mesh": meshes[i], "element": element, "material": law(young=1, density=1), "velocity": [speed * (1 - i), 0, 0]}
              for i, name in enumerate(("left", "right"))]
    return carom.Scene(integrator={method: {}}, time={"end": 3 * L, "step": part * L / cells}, bodies=bodies, contact={"restitution": 1})


# %%
rows, curves = [], {}
for method in METHODS:
    sim = scene(method).simulation()
    start, books, began = sim.ledger, [], time.perf_counter()
    for row in sim:
        books.append((row.time, row.residual, row.kinetic, row.internal, row.contacts))
    seconds = time.perf_counter() - began
    books = np.array(books)
    curves[method] = books
    last = sim.ledger
    touch = books[books[:, 4] > 0, 0]
    rows.append((method, touch[-1], sim.probe("right")["velocity"][0] / speed, np.abs(books[:, 1]).max() / start.kinetic,
                 abs(last.momentum[0] / start.momentum[0] - 1)))
    print(f"{method:18} parts at {rows[-1][1]:.3f} (exact 2), right bar at {rows[-1][2]:.3f} (exact 1), largest residual {rows[-1][3]:.1e}, "
          f"momentum {rows[-1][4]:.0e}")
    assert abs(touch[-1] - 2) < 0.15 and abs(rows[-1][2] - 1) < 0.06 and rows[-1][4] < 1e-12
# %% [markdown]
# Energy in motion and in strain. The methods differ in how they ring after the impact, not in the impact itself:
# %%
figure, axes = plt.subplots(1, 2, figsize=(9.5, 3.6), layout="constrained")
for method, books in curves.items():
    axes[0].plot(books[:, 0], books[:, 3] / curves["newmark-dcr"][0, 2], label=method, linewidth=1.3)
    axes[1].semilogy(books[:, 0], np.maximum(np.abs(books[:, 1]) / curves["newmark-dcr"][0, 2], 1e-17), linewidth=1.1)
axes[0].set(xlabel="time", ylabel="strain energy / first kinetic energy")
axes[0].legend(frameon=False, fontsize=8)
axes[1].set(xlabel="time", ylabel="|residual| / first kinetic energy");
# %% [markdown]
# `energy-momentum` conserves energy to the tolerance of its solver. `multisymplectic` conserves to rounding the energy less its
# oscillation, which has a column of its own, as that of `newmark-dcr`. The residual of `newmark-dcr` is that of the impacts within a
# step; the residual of `nonsmooth-newmark` contains the oscillation. Both fall with the step:
# %%
for method in ("newmark-dcr", "nonsmooth-newmark"):
    found = []
    for part in (0.4, 0.2, 0.1):
        sim = scene(method, part=part).simulation()
        kinetic = sim.ledger.kinetic
        found.append(max(abs(row.residual) for row in sim) / kinetic)
    print(f"{method:18} step 0.4, 0.2, 0.1 of the cell: residual {found[0]:.1e}, {found[1]:.1e}, {found[2]:.1e}")
    assert found[2] < found[0]
# %% [markdown]
# And with the mesh, the velocity after the impact goes to the exact one:
# %%
for n in (10, 20, 40, 80):
    sim = scene("newmark-dcr", cells=n).simulation()
    sim.run_until(np.inf)
    print(f"{n:3} cells: 1 - v = {1 - sim.probe('right')['velocity'][0] / speed:.4f}")
