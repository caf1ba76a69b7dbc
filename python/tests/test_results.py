# SPDX-License-Identifier: MIT
"""Runs from Python have the state hashes of the command; their result files and studies are read back correctly."""
import json
import subprocess
import sys
import zlib
from pathlib import Path

import carom
import numpy as np
import pytest
from carom._library import command

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = sorted((ROOT / "test" / "determinism" / "golden").glob("*.yaml"))


def one_of_each():
    """{method: path of the first golden scene that uses it}."""
    found = {}
    for path in GOLDEN:
        method = carom.Scene.from_yaml(path).get("integrator")
        name = next(iter(method)) if isinstance(method, dict) else method
        found.setdefault(name, path)
    return found


@pytest.mark.parametrize("method", sorted(k for k in one_of_each() if k))
def test_the_hash_of_the_command(method, tmp_path):
    path = one_of_each()[method]
    subprocess.run([command(), "run", str(path), "-o", str(tmp_path / "c"), "--quiet"], check=True)
    by_command = json.loads((tmp_path / "c" / "summary.json").read_text())["state_hash"]
    result = carom.run(path, tmp_path / "p")
    assert result.hash == int(by_command, 16)
    assert (tmp_path / "p" / "history.csv").read_bytes() == (tmp_path / "c" / "history.csv").read_bytes()


def test_tables_and_frames(ball, tmp_path):
    ball["output"]["probes"] = [{"name": "top", "body": "ball"}]
    ball["output"]["contacts"] = True
    ball["output"]["fields"]["every"] = 10
    result = ball.run(tmp_path / "out")
    history = result.history
    assert history.time[0] == 0 and history["kinetic"][0] == history.kinetic[0] > 0
    assert "top.z" in result.probes.dtype.names
    contacts = result.contacts
    assert contacts["body_2"][0] == "floor" and contacts["impulse_z"].sum() > 0
    frames = result.fields
    assert len(frames) == len(frames.times) > 2
    last = frames[1e9]
    assert last.time == frames.times[-1]
    assert last["von_mises"].shape == (len(last.cells["hex8"]),)
    assert np.array_equal(last.points, frames.at(-1).points)
    assert max(frame["von_mises"].max() for _, frame in frames) > 0
    with pytest.raises(KeyError, match="von_mises"):
        last["mises"]
    assert result.passed and result.summary["completed"]
    assert "newmark-dcr" in result._repr_html_()


def test_packed_arrays_are_read(tmp_path):
    """Expects the array of a .vtu file whose zlib blocks the test assembles itself."""
    values = np.arange(10, dtype="<f4")
    raw, size = values.tobytes(), 16
    blocks = [zlib.compress(raw[i:i + size]) for i in range(0, len(raw), size)]
    head = np.array([len(blocks), size, len(raw) % size] + [len(b) for b in blocks], "<u8").tobytes()
    (tmp_path / "f.vtu").write_bytes(
        b'<VTKFile type="UnstructuredGrid" header_type="UInt64" compressor="vtkZLibDataCompressor"><UnstructuredGrid>'
        b'<Piece NumberOfPoints="10" NumberOfCells="0"><PointData><DataArray type="Float32" Name="a" format="appended" offset="0"/>'
        b'</PointData></Piece></UnstructuredGrid><AppendedData encoding="raw">_' + head + b"".join(blocks) + b"</AppendedData></VTKFile>")
    assert np.array_equal(carom.vtu.Frame(tmp_path / "f.vtu")["a"], values)


def test_a_table_of_pandas(bars, tmp_path):
    pytest.importorskip("pandas")
    frame = carom.run(bars, tmp_path / "out", {"time.end": 5.0}).history.frame
    assert list(frame.columns[:3]) == ["time", "kinetic", "internal"]


def test_curves(bars, tmp_path):
    pytest.importorskip("matplotlib").use("Agg")
    axes = carom.run(bars, tmp_path / "out", {"time.end": 20.0}).plot()
    assert {line.get_label() for line in axes.get_lines()} >= {"kinetic", "internal", "total"}


def test_resume_goes_on(ball, tmp_path):
    whole = ball.run(tmp_path / "whole")
    ball["output"]["checkpoint"] = {"every": 20}
    ball.run(tmp_path / "part", {"time.end": 1e-3})
    again = ball.run(tmp_path / "part", resume=True)
    assert again.hash == whole.hash


def test_a_study(bars, tmp_path):
    vary = {"contact.restitution": [0, 0.5, 1], "time.end": [5.0, 20.0]}
    study = carom.study(bars, tmp_path / "study", vary, jobs=2)
    table = study.table
    assert len(table) == 6 == len(study.results)
    assert sorted(set(table["contact.restitution"])) == [0, 0.5, 1]
    assert study.page.exists()
    again = carom.study(bars, tmp_path / "study", vary, jobs=2, resume=True)
    assert np.array_equal(again.table["state_hash"], table["state_hash"])


def test_a_study_of_a_scene_from_python(ball, tmp_path):
    study = carom.study(ball, tmp_path / "study", {"bodies.ball.velocity[2]": [-5, -10], "contact.restitution": [0, 1]}, zip=True, jobs=2,
                        settings={"time.end": 2e-4})
    assert len(study.table) == 2


def test_progress_is_shown_when_asked_for(bars, tmp_path, capfd):
    carom.run(bars, tmp_path / "out", {"time.end": 5.0}, progress=True)
    assert "%" in capfd.readouterr().err


def test_the_report(bars, tmp_path):
    result = carom.run(bars, tmp_path / "out", {"time.end": 5.0})
    try:
        page = result.write_report()
    except OSError as failure:
        pytest.skip(str(failure))
    assert page.stat().st_size > 100000


def test_import_is_quick():
    """The time of the import is printed; there is no limit for it."""
    done = subprocess.run([sys.executable, "-c", f"import sys, time; sys.path.insert(0, {str(ROOT / 'python')!r}); import numpy\n"
                           "t = time.perf_counter(); import carom; print(1e3 * (time.perf_counter() - t))"], capture_output=True, text=True)
    print("import after NumPy:", done.stdout.strip(), "ms")
    assert done.returncode == 0, done.stderr
