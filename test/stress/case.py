# SPDX-License-Identifier: MIT
"""One scene from its start to the verdict: without output, with output and other threads, and once more in one of REPEATS."""
import copy
import json
import math
import pathlib
import random
import re
import tempfile
import traceback

from . import judge, repeats, trial, twins
from .frames import read_frames, read_table

# What is done with a scene once more; one of them for each seed.
REPEATS = ("killed", "device", "units", "killed", "turned", "moving", "mirrored", "ranks")
EXCUSED = ("residual", "way", "intersection", "passed")  # faults of runs that end by a message on their ledger or surfaces
FRAMES = 10  # of an animation, about
ROWS = 400  # of a history, about


class Verdict:
    """`outcome` is refused, stopped, ran or broken; `faults` a list of (kind, text)."""

    def __init__(self):
        self.outcome, self.faults, self.message = "broken", [], ""
        self.contacts, self.figures, self.seconds, self.memory, self.parts, self.repeats = 0, {}, 0.0, 0, 0, []

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


def killed_and_resumed(verdict, carom, path, folder, chance, whole, steps):
    """Same end, same bytes of results, also of a run that fails."""
    found = repeats.killed(carom, path, folder, chance, whole, steps)
    if not found:
        return
    resumed, place = found
    verdict.repeats.append("killed")
    if check_ending(verdict, resumed):
        compare(verdict, whole, resumed, "killed and resumed")
        name = repeats.files_differ(folder / "out", place)
        if not verdict.faults and name:
            verdict.fault("differs", f"killed and resumed: another {name}")


def repeated(verdict, carom, path, folder, silent, how):
    """On an emulated device or by several processes: the same bits."""
    ending = {"device": repeats.on_device, "ranks": repeats.on_ranks}[how](carom, path, folder)
    if ending:
        verdict.repeats.append(how)
        if check_ending(verdict, ending):
            compare(verdict, silent, ending, how)


def number_of(out, name):
    """A number of a summary, 0 if there is none. `retries` is how often the run started again with half the step."""
    path = out / "summary.json"
    return json.loads(path.read_text(encoding="utf-8"))[name] if path.exists() else 0


def twin(verdict, carom, scene, folder, chance, whole, steps, how):
    """The same scene in other words agrees."""
    factors = None
    if how == "units":
        factors = twins.Other(*(2.0 ** chance.randint(-12, 12) for _ in range(3)))
        other = factors.scene(scene)
    else:
        other = twins.MAKERS[how](scene, chance)
    if not other:
        return
    held = how != "units" or twins.rounds(scene)
    if held:
        twins.hold_attempt(other, number_of(folder / "out", "retries"))
    verdict.repeats.append(how)
    path, out = folder / "twin.json", folder / "twin"
    trial.write_scene(with_output(other, steps), path)
    ending = trial.run(carom, path, folder, output=out)
    if not check_ending(verdict, ending):
        return
    # no scene has the steps of a later attempt if relaxation or rotation determines them
    ours, theirs = (number_of(place, "step_size") for place in (folder / "out", out))
    if held and not math.isclose(ours * (factors.time if factors else 1), theirs, rel_tol=1e-6):
        return
    if 2 in (ending.code, whole.code) and ending.code != whole.code:
        verdict.fault("twin", f"{how}: exit code {ending.code} '{ending.message}' in place of {whole.code} '{whole.message}'")
    elif ending.code != 2:
        rows = [read_table(place / "history.csv") for place in (folder / "out", out)]
        noise = judge.Judge(scene, read_frames(folder / "out"), rows[0]).noise()
        text = twins.difference(how, scene, *rows, factors, noise)
        if text:
            verdict.fault("twin", f"{how}: {text}")
        elif how == "units" and ending.code != whole.code and not twins.rounds(scene):
            verdict.fault("twin", f"{how}: exit code {ending.code} '{ending.message}' in place of {whole.code} '{whole.message}'")


def again(verdict, carom, scene, path, folder, silent, whole, steps, how):
    """One of REPEATS; `how` is it and the seed of its chances."""
    name, seed = how
    chance = random.Random(f"carom repeats {seed}")
    if name == "killed":
        killed_and_resumed(verdict, carom, path, folder, chance, whole, steps)
    elif name in ("device", "ranks"):
        repeated(verdict, carom, path, folder, silent, name)
    else:
        twin(verdict, carom, scene, folder, chance, whole, steps, name)


def try_scene(carom, scene, folder, threads=3, how=None):
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
    trial.write_scene(with_output(scene, steps), path)
    whole = trial.run(carom, path, folder, output=folder / "out")
    if not check_ending(verdict, whole):
        return verdict
    compare(verdict, silent, whole, f"output, and 1 thread in place of {threads}")
    if (folder / "out" / "summary.json").exists():
        examine(verdict, scene, folder / "out", whole)
    if how and not verdict.faults:
        again(verdict, carom, scene, path, folder, silent, whole, steps, how)
    return verdict


def examine(verdict, scene, out, whole):
    """What the judge says of the results."""
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    verdict.contacts = summary["contact_events"]
    verdict.parts = summary.get("division", {}).get("parts", 0)
    verdict.figures["told"] = summary["energy_error"]
    if whole.code == 0 or summary["completed"]:
        found = judge.judge_results(scene, out, summary)
        # a complete run that is called a failure is one, for what it says
        said = () if whole.code == 0 else EXCUSED
        verdict.faults += [fault for fault in found.faults if fault[0] not in said]
        verdict.figures.update(found.figures)
        if whole.code == 0 and summary["intersections"] and found.rules.strictness == "exact" and "intersection" not in verdict.kinds():
            verdict.fault("audit", f"summary.json tells of {summary['intersections']} intersections")


def verdict_on(carom, scene, threads=3, how=None):
    """The same in a folder that is removed afterwards; a judge that fails is a fault as well. `how`: (one of REPEATS, seed)."""
    with tempfile.TemporaryDirectory(prefix="carom-stress-") as place:
        try:
            return try_scene(pathlib.Path(carom).resolve(), scene, pathlib.Path(place), threads, how)
        except Exception as error:  # the judge must not end the tool
            verdict = Verdict()
            at = traceback.extract_tb(error.__traceback__)[-1]
            verdict.fault("judge", f"{type(error).__name__}: {error} ({pathlib.Path(at.filename).name}:{at.lineno})")
            return verdict
