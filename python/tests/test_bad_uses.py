# SPDX-License-Identifier: MIT
"""Each test misuses the package in one respect and expects an exception with a helpful message, never a crash."""
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import carom
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_a_scene_that_is_not_there():
    with pytest.raises(OSError, match="missing.yaml"):
        carom.run("missing.yaml")


def test_an_unknown_key(ball):
    with pytest.raises(carom.BadInput, match="did you mean 'time'"):
        ball["tme"] = ball.pop("time")
        ball.check()


def test_an_unknown_setting(ball):
    with pytest.raises(carom.BadInput, match="contact.frction"):
        ball.simulation({"contact.frction": 1})


def test_a_setting_of_a_wrong_type(ball):
    with pytest.raises(carom.BadInput, match="time.end"):
        ball.simulation({"time.end": "soon"})


def test_a_simulation_of_a_dict(ball):
    with pytest.raises(TypeError, match="carom.Scene.* not of dict"):
        carom.Simulation(dict(ball))


def test_an_unknown_field(ball):
    with pytest.raises(carom.BadInput, match="von_mises"):
        ball.simulation().field("mises")


def test_an_unknown_body(ball):
    with pytest.raises(carom.BadInput, match="bell"):
        ball.simulation().probe("bell")
    with pytest.raises(TypeError, match="name"):
        ball.simulation().probe(3)


def test_motion_of_a_wrong_shape(ball):
    with pytest.raises(ValueError, match="must be an array"):
        ball.simulation().set_motion(v=np.zeros((2, 3)))


def test_motion_that_is_not_finite(ball):
    sim = ball.simulation()
    v = sim.v.copy()
    v[0, 0] = np.nan
    with pytest.raises(carom.BadInput, match="finite"):
        sim.set_motion(v=v)
    sim.step()


def test_a_closed_simulation(ball):
    sim = ball.simulation()
    sim.close()
    for use in (sim.step, lambda: sim.x, lambda: sim.ledger, lambda: sim.field("von_mises"), lambda: sim.probe("ball"),
                lambda: sim.bodies, lambda: sim.hash, lambda: sim.save("x"), lambda: list(sim), lambda: sim.on_contact(print)):
        with pytest.raises(ValueError, match="closed"):
            use()
    assert "closed" in repr(sim)


def test_one_simulation_in_two_threads(ball):
    sim = ball.simulation({"time.end": 1.0})
    began, caught = threading.Event(), []

    def slow(_contact):
        began.set()
        time.sleep(0.5)

    def step():
        try:
            sim.step(300)
        except BaseException as failure:
            caught.append(failure)

    sim.on_contact(slow)
    first = threading.Thread(target=step, daemon=True)
    first.start()
    assert began.wait(60)
    with pytest.raises(RuntimeError, match="another thread"):
        sim.step()
    sim.on_contact(None)
    first.join(120)
    assert not first.is_alive() and not caught


def test_a_step_inside_its_own_callback(ball):
    sim = ball.simulation()
    sim.on_contact(lambda contact: sim.step())
    with pytest.raises(RuntimeError, match="its own callback"):
        sim.run_until(1e-3)


def test_an_exception_in_a_contact_callback(ball):
    sim = ball.simulation()

    def fail(contact):
        raise LookupError("from the callback")

    sim.on_contact(fail)
    with pytest.raises(LookupError, match="from the callback"):
        sim.run_until(1e-3)
    sim.on_contact(None)
    sim.step()


def test_an_exception_in_a_force(ball):
    @carom.force("ball")
    def fail(time, x, f):
        if time > 0:
            raise ZeroDivisionError("from the force")

    sim = ball.simulation(forces=[fail])
    with pytest.raises(ZeroDivisionError, match="from the force"):
        sim.step(10)


def test_a_force_that_assigns_a_wrong_shape(ball):
    @carom.force("ball")
    def wrong(time, x, f):
        f[:] = np.zeros((2, 5))

    with pytest.raises(ValueError, match="broadcast"):
        ball.simulation(forces=[wrong]).step()


def test_a_force_without_a_body(ball):
    with pytest.raises(TypeError, match="on which body"):
        carom.force(lambda time, x, f: None)
    with pytest.raises(TypeError, match="no force"):
        ball.simulation(forces=[lambda time, x, f: None])
    with pytest.raises(carom.BadInput, match="bell"):
        ball.simulation(forces=[carom.force("bell")(lambda time, x, f: None)])


def test_a_law_without_density_and_one_that_fails(ball):
    with pytest.raises(ValueError, match="density"):
        carom.law("no-density", mu=1.0)(lambda F, p: None)

    @carom.law("failing-law", density=1.0)
    def failing(F, p):
        raise OverflowError("from the law")

    ball["bodies"][0]["material"] = {"failing-law": {}}
    ball["time"] = {"end": 1e-3, "step": 1e-4}
    with pytest.raises((OverflowError, carom.Error)):
        ball.simulation().step()


def test_a_law_that_is_registered_twice():
    carom.law("twice", density=1.0)(lambda F, p: None)
    with pytest.raises(carom.BadInput, match="twice"):
        carom.law("twice", density=1.0)(lambda F, p: None)


def test_meshes_that_cannot_be():
    with pytest.raises(ValueError, match=r"array \(n, 3\)"):
        carom.Mesh([1, 2, 3], {"tri3": [[0, 1, 2]]})
    with pytest.raises(ValueError, match="there are no cells 'tet5'"):
        carom.Mesh(np.zeros((3, 3)), {"tet5": [[0, 1, 2]]})
    with pytest.raises(ValueError, match="there are nodes 0 to 2"):
        carom.Mesh(np.zeros((3, 3)), {"tri3": [[0, 1, 3]]})
    with pytest.raises(ValueError, match=r"\(n, 4\)"):
        carom.Mesh(np.zeros((3, 3)), {"tet4": [[0, 1, 2]]})
    with pytest.raises(OSError):
        carom.mesh.read("missing.msh")


def test_generators_check_their_parameters():
    with pytest.raises(TypeError, match="radios"):
        carom.mesh.ball(radios=1)
    with pytest.raises(TypeError, match="divisions"):
        carom.mesh.ball(radius=1.0, layers=1)
    with pytest.raises(carom.BadInput, match="radius"):
        carom.mesh.ball(radius=-1.0, divisions=1, layers=1).mesh()
    with pytest.raises(AttributeError, match="neo_hookean"):
        carom.material.neo_hookeen


def test_results_that_are_not_there(ball, tmp_path):
    with pytest.raises(FileNotFoundError, match="no result"):
        carom.Result(tmp_path)
    result = ball.run(tmp_path / "out", {"time.end": 1e-4, "output.fields.every": 0})
    with pytest.raises(FileNotFoundError, match="probes"):
        result.probes
    with pytest.raises(FileNotFoundError, match="no animation"):
        result.fields
    with pytest.raises(KeyError, match="the history has time"):
        pytest.importorskip("matplotlib").use("Agg")
        result.plot("kinetik")


def test_a_numerical_failure(ball):
    ball["time"] = {"end": 1.0, "step": 1e-2, "on_event": "warn", "follow": False}
    with pytest.raises(carom.Numerical):
        ball.simulation().step(1000)


def test_an_output_directory_in_use(ball, tmp_path):
    held = subprocess.Popen([sys.executable, "-c", f"""
import sys, time; sys.path.insert(0, {str(ROOT / 'python')!r})
import ctypes, carom
from carom._library import library
from carom import _api
lock, note = ctypes.c_void_p(), ctypes.create_string_buffer(9000)
assert library.carom_lock_take({str(tmp_path / 'out').encode()!r}, True, ctypes.byref(lock), ctypes.cast(note, ctypes.c_void_p), 9000, None) == 0
print('held', flush=True); time.sleep(60)"""], stdout=subprocess.PIPE, text=True)
    try:
        assert held.stdout.readline() == "held\n"
        with pytest.raises(carom.BadInput):
            ball.run(tmp_path / "out")
    finally:
        held.kill()
        held.wait()


def test_a_fork(ball):
    sim = ball.simulation()
    sim.step()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            sim.step()
            text = "stepped"
        except RuntimeError as failure:
            text = str(failure)
        os.write(write, text.encode())
        os._exit(0)
    os.close(write)
    assert b"forked" in os.read(read, 1000)
    os.waitpid(child, 0)
    os.close(read)
    sim.step()


def interrupted(code, tmp_path):
    """Runs a program, sends it SIGINT after it has printed `under way`, and returns its exit code and further output."""
    text = f"import sys; sys.path.insert(0, {str(ROOT / 'python')!r})\n" + code
    process = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    assert process.stdout.readline() == "under way\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=120)
    return process.returncode, out


LONG = """
import carom, threading
scene = carom.Scene(integrator={"newmark-dcr": {}}, time={"end": 1e6, "step": 0.01}, bodies=[{"name": "bar",
    "mesh": carom.mesh.line(from_=[0, 0, 0], to=[1, 0, 0], elements=10), "element": carom.element.bar(area=1),
    "material": carom.material.linear(young=1, density=1)}])
"""


def test_ctrl_c_in_a_run(tmp_path):
    code, out = interrupted(LONG + """
threading.Timer(0.5, lambda: print("under way", flush=True)).start()
try:
    scene.run("out")
except carom.Interrupted as failure:
    print("raised", failure, flush=True)
""", tmp_path)
    assert code == 0 and out.startswith("raised")
    assert (tmp_path / "out" / "checkpoint.carom").exists()


def test_ctrl_c_in_a_loop(tmp_path):
    code, out = interrupted(LONG + """
sim = scene.simulation()
print("under way", flush=True)
try:
    for row in sim: pass
except KeyboardInterrupt:
    sim.step()
    print("stopped at", sim.step_number, flush=True)
""", tmp_path)
    assert code == 0 and out.startswith("stopped at")


def test_studies_that_cannot_be(bars, tmp_path):
    with pytest.raises(TypeError, match="vary is a dict"):
        carom.study(bars, tmp_path / "a", {})
    with pytest.raises(carom.BadInput, match="frction"):
        carom.study(bars, tmp_path / "b", {"contact.frction": [1, 2]})
    with pytest.raises(ValueError, match="as many values"):
        carom.study(bars, tmp_path / "c", {"contact.friction": [1, 2], "contact.restitution": [1]}, zip=True)


def test_a_force_that_returns_its_array(ball):
    @carom.force("ball")
    def wrong(time, x, f):
        return -x

    with pytest.raises(TypeError, match="returns nothing"):
        ball.simulation(forces=[wrong]).step()


def test_a_force_that_failed_elsewhere(ball):
    failing = [True]

    @carom.force("ball")
    def once(time, x, f):
        if failing[0]:
            raise LookupError("the first time")

    with pytest.raises(LookupError):
        ball.simulation(forces=[once]).step()
    failing[0] = False
    ball.simulation(forces=[once]).step()


def test_close_and_files_within_a_callback(ball, tmp_path):
    for use in (lambda sim: sim.close(), lambda sim: sim.save(tmp_path / "s"), lambda sim: sim.load(tmp_path / "s")):
        sim = ball.simulation()
        sim.on_contact(lambda contact: use(sim))
        with pytest.raises(RuntimeError, match="its own callback"):
            sim.run_until(1e-3)


def test_a_callback_that_raises_ends_the_run_at_once(ball):
    sim, calls = ball.simulation(), []

    def fail(contact):
        calls.append(contact.step)
        raise LookupError("now")

    sim.on_contact(fail)
    with pytest.raises(LookupError):
        sim.run_until(1.0)
    assert set(calls) == {calls[0]}
