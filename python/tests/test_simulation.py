# SPDX-License-Identifier: MIT
"""Simulations stepped from Python: arrays over the state, the ledger, contact callbacks, forces and material laws."""
import ctypes
import gc
import threading

import carom
import numpy as np
import pytest


def test_the_loop_has_the_hash_of_a_run(bars, tmp_path):
    sim = carom.simulate(bars)
    rows = [row.time for row in sim]
    assert sim.done and len(rows) == sim.step_count
    assert sim.hash == carom.run(bars, tmp_path).hash


def test_arrays_are_views(ball):
    sim = ball.simulation()
    x, v = sim.x, sim.v
    assert np.shares_memory(x, sim.x) and x.shape == (sim.node_count, 3)
    assert not x.flags.writeable and not sim.mass.flags.writeable
    with pytest.raises(ValueError):
        x[0, 0] = 1
    before = x.copy()
    sim.step(5)
    assert np.any(sim.x != before)
    assert np.allclose(sim.mass @ sim.v, sim.ledger.momentum)
    assert v.shape == x.shape


@pytest.mark.parametrize("method", ["newmark-dcr", "asynchronous", "multisymplectic", "energy-momentum", "nonsmooth-newmark"])
def test_set_motion_moves_every_method(method):
    """The motion that is set is the one that later steps continue, also where a method keeps velocities of its own."""
    sim = carom.Scene.from_text(f"""
integrator: {method}
time: {{end: 1, step: 0.01}}
bodies:
  - {{name: part, mesh: {{box: {{from: [0, 0, 0], to: [1, 1, 1], elements: [1, 1, 1]}}}}, element: hex8,
     material: {{st-venant-kirchhoff: {{young: 1, density: 1}}}}}}
contact: false
""").simulation()
    # elements of `asynchronous` are at different times later
    sim.step(3 if method != "asynchronous" else 0)
    sim.set_motion(x=sim.x + [0, 0.5, 0], v=sim.v + [0.25, 0, 0])
    sim.step(2)
    assert np.allclose(sim.x, sim.X + [0.25 * 2 * 0.01, 0.5, 0], atol=1e-12)
    assert np.allclose(sim.v, [0.25, 0, 0], atol=1e-12)
    assert abs(sim.ledger.residual) < 1e-12


def test_arrays_outlive_the_simulation(ball):
    sim = ball.simulation()
    x, mass = sim.x, sim.mass
    first = x.copy()
    sim.close()
    del sim
    gc.collect()
    assert np.array_equal(x, first) and mass.sum() > 0


def test_rows_are_the_books(ball):
    sim = ball.simulation()
    start = sim.ledger
    for row in sim.steps(25):
        assert row.total == row["kinetic"] + row["internal"] + row["external"]
    assert abs(row.residual) < 0.01 * start.kinetic
    assert row.momentum.shape == (3,)
    assert "kinetic" in row.keys()
    with pytest.raises(AttributeError, match="it has time, kinetic"):
        row.kinetik
    with pytest.raises(KeyError):
        row["kinetik"]


def test_contacts_by_callback_add_up_to_the_momentum(ball):
    sim = ball.simulation({"gravity": [0, 0, 0], "time.end": 1e-2})
    heard = []
    sim.on_contact(heard.append)
    before = sim.ledger.momentum
    sim.run_until(np.inf)
    # the ball has left the floor: half of the impulse of a kick belongs to the step after it
    assert sim.probe("ball")["velocity"][2] > 0 and heard[-1].step < sim.step_number - 10
    assert heard and heard[0].bodies == ("ball", "floor") and heard[0].kind == "node-plane"
    assert np.allclose(sum(contact.impulse for contact in heard), sim.ledger.momentum - before, rtol=1e-12, atol=1e-12)
    count = len(heard)
    sim.on_contact(None)
    sim.step(10)
    assert len(heard) == count


def test_a_force_of_the_program_is_booked(ball):
    free = {"gravity": [0, 0, 0], "contact.planes": []}

    @carom.force("ball")
    def push(time, x, f):
        f[:, 0] = -1.0

    sim = ball.simulation(free, forces=[push])
    sim.run_until(2e-3)
    # momentum is force times time
    assert sim.ledger.momentum[0] == pytest.approx(-sim.node_count * sim.time, rel=1e-12)

    @carom.force("ball")
    def spring(time, x, f):
        f[:] = -40.0 * x

    sim = ball.simulation(free, forces=[spring])
    start = sim.ledger
    sim.run_until(2e-3)
    row = sim.ledger
    # the work in the ledger is the change of the potential of the spring
    energy = 20.0 * (np.sum(sim.x ** 2) - np.sum(sim.X ** 2))
    assert row.external - start.external == pytest.approx(energy, rel=1e-3)
    assert abs(row.residual) < 2e-4 * row.kinetic


def test_a_force_in_c_is_called_for_each_node(ball):
    kind = carom.forces.NODE

    def one(_context, _time, _node, _x, force):
        ctypes.cast(force, ctypes.POINTER(ctypes.c_double))[1] = 2.0

    sim = ball.simulation({"gravity": [0, 0, 0], "contact.planes": []}, forces=[carom.forces.Force(kind(one), "ball")])
    sim.run_until(1e-3)
    assert sim.ledger.momentum[1] == pytest.approx(2.0 * sim.node_count * sim.time, rel=1e-9)


def test_a_law_of_the_program_gives_the_motion_of_the_library(ball):
    @carom.law("python-neo-hookean", young=None, poisson=0.3, density=None)
    def neo_hookean(F, p):
        """Neo-Hookean, in Python."""
        mu = p["young"] / (2 * (1 + p["poisson"]))
        lame = p["young"] * p["poisson"] / ((1 + p["poisson"]) * (1 - 2 * p["poisson"]))
        J = np.linalg.det(F)
        if J <= 0:
            return None
        inverse = np.linalg.inv(F).T
        W = 0.5 * mu * (np.sum(F * F) - 3) - mu * np.log(J) + 0.5 * lame * np.log(J) ** 2
        return W, mu * (F - inverse) + lame * np.log(J) * inverse

    ball["time"] = {"end": 2e-4, "step": 2e-5, "follow": False}
    ball["bodies"][0]["mesh"] = carom.mesh.ball(center=[0, 0, 1.001], radius=1.0, divisions=1, layers=1)
    plain = ball.simulation()
    plain.run_until(2e-4)
    ball["bodies"][0]["material"] = {"python-neo-hookean": {"young": 2.0e5, "density": 8.0e-3}}
    own = ball.simulation()
    own.run_until(2e-4)
    assert own.ledger.internal > 0
    assert np.allclose(own.x, plain.x, rtol=0, atol=1e-12)


def test_fields_and_probes(ball):
    sim = ball.simulation()
    sim.run_until(5e-4)
    assert sim.fields["von_mises"] == (1, "cells")
    stress = sim.field("von_mises")
    assert stress.shape == (sim.element_count,) and stress.max() > 0
    assert np.array_equal(sim.field("position"), sim.x)
    probe = sim.probe("ball")
    assert np.allclose(probe["position"], sim.mass @ sim.x / sim.mass.sum())
    assert set(sim.select("ball", "surface")) <= set(range(sim.node_count))
    assert len(sim.faces) and sim.faces.max() < sim.node_count
    block = sim.blocks[0]
    assert block["element"] == "hex8" and block["nodes"].shape == (sim.element_count, 8)
    assert sim.bodies["ball"] == slice(0, sim.node_count)


def test_save_and_load(ball, tmp_path):
    sim = ball.simulation()
    sim.step(20)
    sim.save(tmp_path / "state")
    sim.step(30)
    other = ball.simulation()
    other.load(tmp_path / "state")
    other.step(30)
    assert other.hash == sim.hash


def test_set_motion_keeps_the_books(ball):
    sim = ball.simulation()
    v = sim.v.copy()
    v[:, 1] += 2
    sim.set_motion(v=v)
    assert np.all(sim.v[:, 1] == 2)
    assert abs(sim.ledger.residual) < 1e-12 * sim.ledger.kinetic


def test_two_simulations_in_two_threads(bars):
    alone = carom.simulate(bars)
    alone.run_until(np.inf)
    found = []

    def work():
        sim = carom.simulate(bars)
        sim.run_until(np.inf)
        found.append(sim.hash)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone.hash] * 2


def test_a_law_may_answer_with_lists(ball):
    def answer(F, p):
        strain = 0.5 * (F.T @ F - np.eye(3))
        stress = 2 * p["mu"] * F @ strain
        return p["mu"] * np.sum(strain * strain), stress

    carom.law("by-array", mu=1e5, density=8e-3)(answer)
    carom.law("by-list", mu=1e5, density=8e-3)(lambda F, p: (answer(F, p)[0], answer(F, p)[1].tolist()))
    ball["time"] = {"end": 1e-4, "step": 1e-5, "follow": False}
    ball["bodies"][0]["mesh"] = carom.mesh.ball(center=[0, 0, 1.001], radius=1.0, divisions=1, layers=1)
    found = []
    for name in ("by-array", "by-list"):
        ball["bodies"][0]["material"] = {name: {}}
        sim = ball.simulation()
        sim.run_until(1.0)
        found.append(sim.x.copy())
    assert np.array_equal(*found)


def test_motion_of_a_rigid_body():
    box = {"from": [-1, -1, -2], "to": [1, 1, 2], "elements": [1, 1, 1]}
    sim = carom.Scene({
        "integrator": "newmark-dcr", "time": {"end": 1.0, "step": 0.01},
        "bodies": [{"name": "box", "mesh": {"box": box}, "element": {"rigid": {"density": 0.5}}, "velocity": [1, 0, 0],
                    "spin": [0, 0, 2]},
                   {"name": "soft", "mesh": {"box": {**box, "from": [-1, -1, 3], "to": [1, 1, 4]}}, "element": "hex8",
                    "material": {"neo-hookean": {"young": 1.0, "poisson": 0.3, "density": 1.0}}}],
    }).simulation()
    sim.run_until(0.5)
    motion = sim.rigid_motion("box")
    # a mass of 8, the moment 8 (4 + 4)/12 about z; the midpoint rule turns by 2 atan(h w/2) in a step
    assert np.allclose(motion["momentum"], [8, 0, 0], rtol=1e-13) and np.allclose(motion["centre"], [0.5, 0, 0], atol=1e-13)
    assert np.allclose(motion["angular_momentum"], [0, 0, 32 / 3], rtol=1e-13)
    assert np.allclose(motion["rotation"], [0, 0, 50 * 2 * np.arctan(0.01)], rtol=1e-12)
    assert np.allclose(motion["angular_velocity"], [0, 0, 2], rtol=1e-13)
    for wrong in ("soft", "none"):
        with pytest.raises(carom.BadInput):
            sim.rigid_motion(wrong)
