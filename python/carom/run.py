# SPDX-License-Identifier: MIT
"""Whole runs: the same files, the same bits and the same gates as those of `carom run`."""
import contextlib
import ctypes
import os
import sys
import threading
import time as clock

from . import _api
from ._library import check, library, take_text
from .result import Result
from .scene import Scene, build


def run(scene, directory=None, settings=None, *, resume=False, progress=None, forces=(), report=False):
    """Runs a scene to its end, and returns a `carom.Result`.

    scene      the path of a scene file, or a `carom.Scene`
    directory  of the results; None: that of the scene
    settings   values to change, {"contact.friction": 0.3, "bodies.part.velocity[2]": -2}
    resume     resume from the checkpoint in the directory
    progress   True: a progress bar (of tqdm, if it is installed); None: a bar on a terminal or in a notebook only
    forces     forces that the program computes (`carom.force`)
    report     write the report page too

    Ctrl-C ends a run with a checkpoint and raises `carom.Interrupted`. A gate of `expect:` that fails does not raise: see
    `result.passed`."""
    settings = dict(settings or {})
    if directory is not None:
        settings["output.directory"] = os.fspath(directory)
    if isinstance(scene, Scene):
        built, name = scene.build(settings, forces, keep_meshes=directory), ""
    elif isinstance(scene, dict):
        built, name = Scene(scene).build(settings, forces, keep_meshes=directory), ""
    else:
        name = os.fspath(scene)
        built = build(path=name, settings=settings, forces=forces)
    with Job(built, name, resume) as job:
        folder = job.run(progress)
    result = Result(folder)
    if report:
        result.write_report()
    return result


class Job:
    """One call of carom_run with its data."""

    def __init__(self, built, name, resume):
        from .simulation import Simulation
        self.built = built
        self.output = library.carom_scene_output(built)
        self.directory = self.output.contents.directory.decode()
        self.text = take_text(library.carom_scene_text(built)).encode()
        self.definition = library.carom_default_run_def()
        self.definition.scene = name.encode() or None
        self.definition.title = library.carom_scene_title(built)
        self.definition.scene_text = self.text
        self.definition.output = self.output
        self.definition.resume = resume
        step = library.carom_saved_step(os.path.join(self.directory, "checkpoint.carom").encode()) if resume else 0.0
        self.definition.attempt = library.carom_attempt_with_step(
            step, library.carom_scene_time(built), library.carom_scene_model(built), library.carom_scene_integrator(built))
        self.simulation = Simulation(built, self.definition.attempt)
        # signals are handled by the main thread, in C and in Python
        self.definition.handle_signals = threading.current_thread() is threading.main_thread()
        self.summary = _api.carom_summary()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        library.carom_summary_release(ctypes.byref(self.summary))

    def start_again(self):
        """Another attempt, with half of the step (`time.retries`)."""
        from .simulation import Simulation
        library.carom_summary_release(ctypes.byref(self.summary))
        self.simulation.close()
        self.definition.resume, self.definition.attempt = False, self.definition.attempt + 1
        self.simulation = Simulation(self.built, self.definition.attempt)

    def run(self, progress):
        error = _api.carom_error()
        while True:
            with meter(self.simulation, progress):
                status = library.carom_run(self.simulation._handle(), ctypes.byref(self.definition), ctypes.byref(self.summary),
                                           ctypes.byref(error))
            if not status or not library.carom_sim_retries(self.simulation._handle(), self.definition.attempt,
                                                           ctypes.byref(self.summary), ctypes.byref(error)):
                break
            self.start_again()
        finished = status == _api.CAROM_OK or (status == _api.CAROM_NUMERICAL and self.simulation.done)
        count = library.carom_scene_expectation_count(self.built)
        if finished and count:
            verdicts = (_api.carom_verdict * count)(*[
                library.carom_scene_judge(self.built, i, self.simulation._handle(), ctypes.byref(self.summary))
                for i in range(count)])
            library.carom_summary_write(self.simulation._handle(), ctypes.byref(self.definition), ctypes.byref(self.summary), verdicts,
                                        count, None)
        self.simulation._raise_of_callbacks()
        check(status, error)
        return self.directory


def is_seen():
    """True on a terminal and in a notebook."""
    return sys.stderr.isatty() or "ipykernel" in sys.modules


@contextlib.contextmanager
def meter(simulation, progress):
    """A progress bar during carom_run: a thread reads the step of the state at intervals."""
    if progress is False or (progress is None and not is_seen()):
        yield
        return
    total, ended = simulation.step_count, threading.Event()
    show = bar_of(total)

    def watch():
        while not ended.wait(0.2):
            show(library.carom_state_step(simulation._state))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        show(library.carom_state_step(simulation._state), last=True)


def bar_of(total):
    """A function that shows the number of steps taken."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        began = clock.monotonic()

        def show(step, last=False):
            share = step / total if total else 1
            passed = clock.monotonic() - began
            left = passed / share - passed if share > 0 else 0
            sys.stderr.write(f"\r{'#' * int(40 * share):<40} {100 * share:5.1f} %  {passed:.1f} s, {left:.0f} s left " + ("\n" if last else ""))
            sys.stderr.flush()
        return show
    bar = tqdm(total=total, unit="step")

    def show_bar(step, last=False):
        bar.update(step - bar.n)
        if last:
            bar.close()
    return show_bar


def threads(count=None):
    """Sets the threads of all simulations of this process, 0: as many as the machine has; returns the number in use. Results
    never depend on it."""
    if count is not None:
        if count < 0:
            raise ValueError("threads(count): at least 0")
        library.carom_set_threads(count)
    return library.carom_threads()


__all__ = ["run", "threads"]
