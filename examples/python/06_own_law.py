# SPDX-License-Identifier: MIT
"""A material in Python: a cube of a law of one's own, pulled slowly, has the modulus that was put in."""
import carom
import numpy as np


@carom.law("saint-venant", mu=None, lame=None, density=1.0)
def saint_venant(F, p):
    """W = lame/2 (tr E)^2 + mu E:E of Green's strain."""
    E = 0.5 * (F.T @ F - np.eye(3))
    S = p["lame"] * np.trace(E) * np.eye(3) + 2 * p["mu"] * E
    W = 0.5 * p["lame"] * np.trace(E) ** 2 + p["mu"] * np.sum(E * E)
    return W, F @ S


young, poisson, strain = 100.0, 0.25, 1e-3
mu, lame = young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))
scene = carom.Scene(
    analysis={"static": {"linear": False}},
    bodies=[{"name": "cube", "mesh": carom.mesh.box(from_=[0, 0, 0], to=[1, 1, 1], elements=[1, 1, 1]), "element": "hex8",
             "material": {"saint-venant": {"mu": mu, "lame": lame}}}],
    restraints=[{"body": "cube", "set": "xmin", "fix": "x"}, {"body": "cube", "set": "ymin", "fix": "y"},
                {"body": "cube", "set": "zmin", "fix": "z"}],
    loads=[{"body": "cube", "set": "xmax", "force": [young * strain, 0, 0]}])
sim = scene.simulation()
sim.run_until(1.0)
stretch = sim.probe("cube", "xmax")["displacement"][0]
print(f"strain {stretch:.6g} for a stress of {young * strain:.3g}: modulus {young * strain / stretch:.4f}, put in {young}")
# Green's strain makes it stiffer by a part 3/2 strain
assert abs(young * strain / stretch / young - (1 + 1.5 * strain)) < 1e-5
