# SPDX-License-Identifier: MIT
# %% [markdown]
# # Two bars, and the exact solution
#
# Two equal elastic bars meet head on. The wave equation has a closed form for this: compression waves run from the contact to the
# free ends and back; after the time $2 L / c$ the bars part, with their velocities exchanged and nothing left ringing.
# We run it with carom, look at the books, and compare velocities with the closed form on three meshes.
# %%
import carom
import matplotlib.pyplot as plt
import numpy as np

L, c, v = 10.0, 1.0, 0.1    # length, wave speed (young = density = 1), speed of each bar


def scene(cells):
    h = 0.5 * L / cells / c
    bars = [("left", -L, 0.0, v), ("right", 0.0, L, -v)]
    return carom.Scene(
        integrator=carom.integrator.newmark_dcr(), time={"end": 3 * L / c, "step": h},
        bodies=[{"name": name, "mesh": carom.mesh.line(from_=[a, 0, 0], to=[b, 0, 0], elements=cells),
                 "element": carom.element.bar(area=1), "material": carom.material.linear(young=1, density=1),
                 "velocity": [speed, 0, 0]} for name, a, b, speed in bars],
        contact={"restitution": 0}, output={"fields": {"every": 0}})


result = scene(100).run("two_bars", progress=False)
result
# %% [markdown]
# ## The books
#
# Kinetic energy becomes strain energy and comes back. `total` stays; what nothing explains is the residual.
# %%
result.plot()
# %%
history = result.history
print(f"largest residual: {np.abs(history.residual).max():.1e} of {history.total[0]:.3g}")
print(f"largest change of momentum: {np.abs(history.px - history.px[0]).max():.1e}")
assert np.abs(history.px - history.px[0]).max() < 1e-12
assert np.abs(history.residual).max() < 0.02 * history.total[0]
# %% [markdown]
# ## Against the closed form
#
# While the bars touch, the material between the contact and the wave fronts is at rest; outside it still has its first velocity.
# After reflection at the free ends the fronts return and leave the exchanged velocity behind.


# %%
def exact(x, t):
    """Velocity of the left bar at the place x in (-L, 0) and the time t < 2 L / c."""
    front = -c * t                       # before the reflection
    if t < L / c:
        return np.where(x > front, 0.0, v)
    back = -L + c * (t - L / c)
    return np.where(x < back, -v, 0.0)


times = [0.5 * L / c, 1.5 * L / c]
figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained", sharey=True)
errors = {}
for cells in (25, 50, 100, 200, 400):
    sim = scene(cells).simulation()
    total = 0
    for t, axis in zip(times, axes):
        sim.run_until(t - 1e-9)
        left = sim.bodies["left"]
        x, velocity = sim.X[left, 0], sim.v[left, 0]
        total += np.mean(np.abs(velocity - exact(x, sim.time))) / v
        if cells in (50, 400):
            axis.plot(x, velocity, label=f"{cells} elements", linewidth=1.2)
    errors[cells] = total / 2
x = np.linspace(-L, -1e-9, 2001)
for t, axis in zip(times, axes):
    axis.plot(x, exact(x, t), "k--", linewidth=1, label="exact")
    axis.set_title(f"t = {t:g}")
    axis.set_xlabel("x")
axes[0].set_ylabel("velocity of the left bar")
axes[0].legend(frameon=False);
# %% [markdown]
# The jumps are smeared over a few elements, with the ripples that a method without dissipation has behind a jump. Front and ripples
# have the shape of an Airy integral whose width is $(h^2 t)^{1/3}$ and whose tail decays with the power $-3/4$ of the distance, so
# that the mean error falls as $h^{1/2}$:
# %%
cells, error = np.array(list(errors)), np.array(list(errors.values()))
rate = -np.polyfit(np.log(cells), np.log(error), 1)[0]
for n, e in errors.items():
    print(f"{n:4} elements: mean error {e:.4f}")
print(f"rate {rate:.2f}")
assert 0.38 < rate < 0.62
# %% [markdown]
# After the impact the bars have exchanged their velocities:
# %%
sim = scene(400).simulation()
sim.run_until(np.inf)
for name in sim.bodies:
    print(name, sim.probe(name)["velocity"][0] / v)
assert abs(sim.probe("left")["velocity"][0] / v + 1) < 0.01
