# SPDX-License-Identifier: MIT
"""Scenes as dicts are read, changed, written and checked."""
import json
import subprocess

import carom
import numpy as np
import pytest
from carom._library import command


def test_reads_yaml_as_version_1_2_has_it():
    scene = carom.Scene.from_text("a: 1e-3\nb: [yes, true, null, '1', .5, +2, 07, 1.]\nc: {d: x}\n")
    assert scene["a"] == 1e-3
    assert scene["b"] == ["yes", True, None, "1", 0.5, 2, 7, 1.0]
    assert scene["c"] == {"d": "x"}


def test_what_is_no_yaml_is_refused_with_its_place():
    with pytest.raises(carom.BadInput, match="there.yaml:1:"):
        carom.Scene.from_text("a: [1", name="there.yaml")
    with pytest.raises(carom.BadInput, match="a map of keys"):
        carom.Scene.from_text("[1, 2]")


def test_put_and_get_by_path(ball):
    ball.put("contact.friction", 0.3).put("bodies.ball.velocity[2]", -5).put("output.fields.every", 7)
    assert ball["contact"]["friction"] == 0.3
    assert ball["bodies"][0]["velocity"] == [0, 0, -5]
    assert ball.get_path("bodies[0].velocity[2]") == -5
    assert ball.get_path("output.fields.every") == 7
    for wrong in ("bodies.bell.velocity", "bodies[3].name", "title.x"):
        with pytest.raises(KeyError):
            ball.get_path(wrong)
    with pytest.raises(ValueError, match="no path of keys"):
        ball.put("a..b", 1)


def test_all_findings_are_in_the_exception(ball):
    ball["contact"]["frictoin"] = 0.3
    ball["bodies"][0]["material"] = {"neo-hookean": {"young": -1, "density": 1}}
    with pytest.raises(carom.BadInput) as caught:
        ball.check()
    paths = [finding.path for finding in caught.value.findings]
    assert "contact" in paths and "bodies[0].material.neo-hookean.young" in paths
    assert "friction" in str(caught.value)


def test_a_written_scene_is_that_of_the_command(ball, tmp_path):
    ball["bodies"][0]["mesh"] = carom.mesh.ball(center=[0, 0, 1.01], radius=1.0, divisions=2, layers=1).mesh()
    ball.write(tmp_path / "ball.yaml")
    assert (tmp_path / "ball.msh").exists()
    subprocess.run([command(), "run", str(tmp_path / "ball.yaml"), "-o", str(tmp_path / "out"), "--quiet"], check=True)
    by_command = json.loads((tmp_path / "out" / "summary.json").read_text())["state_hash"]
    assert int(by_command, 16) == ball.run(tmp_path / "here").hash


def test_arrays_of_numpy_are_values(ball):
    ball["bodies"][0]["velocity"] = np.array([0.0, 0.0, -3.0])
    ball["time"]["end"] = np.float64(1e-4)
    sim = ball.simulation()
    assert np.all(sim.v == [0, 0, -3])
    assert "velocity: [0, 0, -3]" in ball.full_text()


def test_settings_are_overrides(ball):
    sim = ball.simulation({"bodies.ball.velocity[2]": -7, "gravity": [0, 0, 0]})
    assert np.all(sim.v[:, 2] == -7)
    assert ball["bodies"][0]["velocity"] == [0, 0, -20]


def test_copies_share_nothing(ball):
    other = ball.copy()
    other.put("bodies[0].velocity[2]", 1)
    assert ball["bodies"][0]["velocity"][2] == -20
