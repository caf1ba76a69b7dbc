# SPDX-License-Identifier: MIT
"""A run once more under other conditions that must not change a bit: a device, several processes, kill -9 and --resume."""
import shutil
import time

from . import trial

SAME = ("history.csv", "pairs.csv", "contacts.csv", "probes.csv")
EMULATED = {"CAROM_DEVICE_EMULATE": "1"}
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def files_differ(ours, theirs):
    """The first file of results that differs, or None."""
    names = [name for name in SAME if (ours / name).exists()]
    names += sorted(f"fields/{path.name}" for path in (ours / "fields").glob("frame_*"))
    for name in names:
        if not (theirs / name).exists() or (ours / name).read_bytes() != (theirs / name).read_bytes():
            return name
    extra = {path.name for path in (theirs / "fields").glob("frame_*")} - {path.name for path in (ours / "fields").glob("frame_*")}
    return f"fields/{min(extra)}" if extra else None


def on_device(carom, path, folder):
    """A run whose forces the processor finds as a device would; None where the device does not support the scene."""
    ending = trial.run(carom, path, folder, "--device", "gpu", env=EMULATED)
    return None if ending.code == 2 and "device" in ending.message else ending


def on_ranks(carom, path, folder, count=2):
    """A run by several processes; None where there is no carom-mpi, or it does not support the scene."""
    if not carom.with_name("carom-mpi").exists() or not shutil.which("mpirun"):
        return None
    ending = trial.run(carom, path, folder, "--ranks", str(count), env=AS_ROOT)
    lacks = ending.code == 2 and any(word in ending.message for word in ("process", "ranks"))
    return None if lacks else ending


def killed(carom, path, folder, chance, whole, steps):
    """Ends a run by kill -9 at some moment after its first checkpoint, and resumes it; None if it was over before."""
    place = folder / "killed"
    options = ("--set", f"output.checkpoint.every={chance.choice([1, max(1, steps // 20), max(1, steps // 5)])}")
    wait, seen = chance.uniform(0, 1.5 * whole.seconds), None

    def now():
        nonlocal seen
        if seen is None and (place / "checkpoint.carom").exists():
            seen = time.monotonic()
        return seen is not None and time.monotonic() - seen >= wait

    ending = trial.run(carom, path, folder, *options, output=place, until=now)
    if ending.code != -9 or not (place / "checkpoint.carom").exists():
        return None
    resumed = trial.run(carom, path, folder, *options, "--resume", output=place)
    return resumed, place
