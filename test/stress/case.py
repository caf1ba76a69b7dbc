# SPDX-License-Identifier: MIT
"""One scene from its start to the verdict: without output, with output, with other threads, and at times killed and resumed."""
import copy
import json
import pathlib
import re
import tempfile
import traceback

from . import judge, trial

FRAMES = 10  # of an animation, about
ROWS = 400  # of a history, about


class Verdict:
    """`outcome` is refused, stopped, ran or broken; `faults` a list of (kind, text)."""

    def __init__(self):
        self.outcome, self.faults, self.message = "broken", [], ""
        self.contacts, self.figures, self.seconds, self.memory, self.parts = 0, {}, 0.0, 0, 0

    def fault(self, kind, text):
        self.faults.append((kind, text))

    def kinds(self):
        return {kind for kind, _ in self.faults}


def with_output(scene, steps):
    """The scene with rows and frames for the judge."""
    scene = copy.deepcopy(scene)
    rows = max(1, steps // ROWS)
    frames = rows * max(1, steps // (FRAMES * rows))
    scene["output"] = {"history": {"every": rows, "bodies": True}, "fields": {"every": frames}}
    return scene


def check_ending(verdict, ending):
    """True if the run ended as runs may."""
    verdict.seconds += ending.seconds
    verdict.memory = max(verdict.memory, ending.memory)
    if ending.limit:
        verdict.fault("hangs" if ending.limit == "hangs" else "slow", f"{ending.limit}: {ending.seconds:.0f} s")
    elif ending.code not in (0, 2, 3):
        verdict.fault("crash", f"exit code {ending.code}: {ending.errors.strip()[-200:]}")
    elif ending.code and not ending.message:
        verdict.fault("silent", f"exit code {ending.code} without a message")
    if ending.memory > trial.MEMORY:
        verdict.fault("memory", f"{ending.memory / 2**30:.1f} GB")
    return not verdict.faults


def compare(verdict, first, second, how):
    if (first.code, first.message) != (second.code, second.message):
        verdict.fault("differs", f"{how}: exit code {second.code} '{second.message}' in place of {first.code} '{first.message}'")
    elif first.state != second.state:
        verdict.fault("differs", f"{how}: state {second.state} in place of {first.state}")


def killed_and_resumed(verdict, carom, path, folder, whole, steps):
    """kill -9 when the first checkpoint is there, then resume: same state, same history."""
    place = folder / "killed"
    options = ("--set", f"output.checkpoint.every={max(1, steps // 5)}")
    trial.run(carom, path, folder, *options, output=place, until=(place / "checkpoint.carom").exists)
    if not (place / "checkpoint.carom").exists() or (place / "summary.json").exists():
        return
    resumed = trial.run(carom, path, folder, *options, "--resume", output=place)
    if check_ending(verdict, resumed):
        compare(verdict, whole, resumed, "killed and resumed")
        if not verdict.faults and (place / "history.csv").read_bytes() != (folder / "out" / "history.csv").read_bytes():
            verdict.fault("differs", "killed and resumed: another history.csv")


def try_scene(carom, scene, folder, threads=3, resume=False):
    """The verdict on a scene; files go to `folder`."""
    verdict = Verdict()
    path = folder / "scene.json"
    trial.write_scene(scene, path)
    silent = trial.run(carom, path, folder, threads=threads)
    text = (folder / "stdout").read_text(encoding="utf-8", errors="replace")
    if not check_ending(verdict, silent):
        return verdict
    verdict.message = silent.message
    if silent.code == 2:
        verdict.outcome = "refused"
        return verdict
    verdict.outcome = "ran" if silent.code == 0 else "stopped"
    steps = re.search(r"(\d+) steps? of", text)
    steps = int(steps[1]) if steps else 100
    told = with_output(scene, steps)
    trial.write_scene(told, path)
    whole = trial.run(carom, path, folder, output=folder / "out")
    if not check_ending(verdict, whole):
        return verdict
    compare(verdict, silent, whole, f"output, and 1 thread in place of {threads}")
    summary = folder / "out" / "summary.json"
    if not summary.exists():
        return verdict
    summary = json.loads(summary.read_text(encoding="utf-8"))
    verdict.contacts = summary["contact_events"]
    verdict.parts = summary.get("division", {}).get("parts", 0)
    verdict.figures["told"] = summary["energy_error"]
    if whole.code == 0:
        found = judge.judge_results(scene, folder / "out")
        verdict.faults += found.faults
        verdict.figures.update(found.figures)
        if summary["intersections"] and found.rules.strictness == "exact" and "intersection" not in verdict.kinds():
            verdict.fault("audit", f"summary.json tells of {summary['intersections']} intersections")
        if resume and not verdict.faults:
            killed_and_resumed(verdict, carom, path, folder, whole, steps)
    return verdict


def verdict_on(carom, scene, threads=3, resume=False):
    """The same in a folder that is removed afterwards; a judge that fails is a fault as well."""
    with tempfile.TemporaryDirectory(prefix="carom-stress-") as place:
        try:
            return try_scene(pathlib.Path(carom).resolve(), scene, pathlib.Path(place), threads, resume)
        except Exception as error:  # the judge must not end the tool
            verdict = Verdict()
            at = traceback.extract_tb(error.__traceback__)[-1]
            verdict.fault("judge", f"{type(error).__name__}: {error} ({pathlib.Path(at.filename).name}:{at.lineno})")
            return verdict
