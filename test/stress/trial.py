# SPDX-License-Identifier: MIT
"""Runs carom under limits of time and memory."""
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import time

# Processor seconds of the busiest thread, so that a busy machine judges as a quiet one does.
QUIET = 60  # without a new row, or a line on how far it is: it hangs
LONGEST = 180  # that a scene of the generator may take while it advances
IDLE = 600  # seconds by the clock, for a process that waits for ever
MEMORY = 2 * 2**30
ADDRESSES = 8 * 2**30  # a run that takes memory without end is ended by the system, not with the machine
POLL = 0.005


class Ending:
    """How a run ended: exit code, what it said, its final state, and what it took."""

    def __init__(self, code, output, errors, limit, memory, seconds):
        self.code, self.limit, self.memory, self.seconds = code, limit, memory, seconds
        found = re.search(r"state (0x[0-9a-f]+)", output)
        self.state = found[1] if found else None
        lines = [line for line in errors.splitlines() if "error:" in line]
        # where a state was saved depends on the output
        self.message = re.sub(r"; step \d+ is saved in .*", "", lines[-1]) if lines else ""
        # audits belong to frames, so how many there were and what the worst one saw depend on the output as well
        self.message = re.sub(r"(surfaces intersect): .*? checks", r"\1", self.message)
        self.errors = errors
        self.notes = [line for line in (errors + output).splitlines() if line.startswith(("note", "carom: note"))]


def limit_addresses():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def size_of(path):
    try:
        return path.stat().st_size
    except OSError:
        return -1


def processor_seconds(pid):
    """Of the busiest thread of a process so far: a small model uses one, however many it is given."""
    most = 0.0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            fields = (task / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue  # the thread has ended
        most = max(most, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
    return most


def run(carom, scene, folder, *options, output=None, threads=1, until=None, env=None):
    """Runs a scene in `folder`, with results in `output` or without any; `until()` kills it once it is true."""
    command = [str(carom), "run", str(scene), "--threads", str(threads), *(["-o", str(output)] if output else ["--no-output"]), *options]
    begin, moved, seen, limit = time.monotonic(), 0.0, None, None
    with open(folder / "stdout", "w+b") as out, open(folder / "stderr", "w+b") as err:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, preexec_fn=limit_addresses,
                                   env={**os.environ, "OMP_WAIT_POLICY": "passive", **(env or {})})
        while True:
            now = processor_seconds(process.pid)
            done, status, usage = os.wait4(process.pid, os.WNOHANG)
            if done:
                break
            # a row, or a line on how far it is
            progress = size_of(output / "history.csv") if output else None, size_of(folder / "stderr")
            if progress != seen:
                seen, moved = progress, now
            if until and until():
                # send_signal would take the status of a process that has ended
                os.kill(process.pid, signal.SIGKILL)
                until = None
            idle = time.monotonic() - begin > IDLE
            if limit is None and (now - moved > QUIET or now > LONGEST or idle):
                limit = "too long" if now - moved <= QUIET and not idle else "hangs"
                os.kill(process.pid, signal.SIGKILL)
            time.sleep(POLL)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        texts = [stream.read().decode("utf-8", "replace") for stream in (out, err)]
    return Ending(process.returncode, *texts, limit, usage.ru_maxrss * 1024, time.monotonic() - begin)


def prisms(n, m):
    """A unit cube about the origin of n x n x m boxes, two prisms each, as a legacy VTK file."""
    def number(i, j, k):
        return i + (n + 1) * (j + (n + 1) * k)

    points = [(i / n - 0.5, j / n - 0.5, k / m - 0.5) for k in range(m + 1) for j in range(n + 1) for i in range(n + 1)]
    cells = []
    for k in range(m):
        for j in range(n):
            for i in range(n):
                a, b, c, d = number(i, j, k), number(i + 1, j, k), number(i + 1, j + 1, k), number(i, j + 1, k)
                up = (n + 1) ** 2
                cells += [(a, b, c, a + up, b + up, c + up), (a, c, d, a + up, c + up, d + up)]
    lines = ["# vtk DataFile Version 3.0", "prisms", "ASCII", "DATASET UNSTRUCTURED_GRID", f"POINTS {len(points)} double"]
    lines += [" ".join(map(repr, p)) for p in points]
    lines += [f"CELLS {len(cells)} {7 * len(cells)}", *(" ".join(map(str, (6, *cell))) for cell in cells)]
    return "\n".join([*lines, f"CELL_TYPES {len(cells)}", *["13"] * len(cells)]) + "\n"


def write_scene(scene, path):
    """The scene, and the mesh files that it names."""
    path.write_text(json.dumps(scene, indent=1), encoding="utf-8")
    for body in scene["bodies"]:
        found = re.fullmatch(r"prisms_(\d+)_(\d+)\.vtk", body["mesh"].get("file", {}).get("path", ""))
        if found:
            (path.parent / found[0]).write_text(prisms(int(found[1]), int(found[2])), encoding="utf-8")
