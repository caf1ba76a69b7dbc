# SPDX-License-Identifier: MIT
"""Parameter studies: `carom sweep` from Python. Runs are separate processes, never forks of this one."""
import itertools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from ._library import command
from .errors import BadInput, Interrupted, Numerical
from .result import Result, read_table
from .scene import Scene, plain


class Study:
    """A finished study: `table` (also as `frame`, a pandas.DataFrame), `results`, `page`."""

    def __init__(self, directory):
        self.directory = Path(directory)

    @property
    def table(self):
        """sweep.csv: one row per case, with the varied keys and all results of the summaries."""
        return read_table(self.directory / "sweep.csv")

    @property
    def frame(self):
        """The same as a DataFrame."""
        return self.table.frame

    @property
    def results(self):
        """The results of the cases that have one, in the order of the table."""
        folders = sorted(path.parent for path in self.directory.glob("*/*/summary.json")) or sorted(
            path.parent for path in self.directory.glob("*/summary.json"))
        return [Result(folder) for folder in folders]

    @property
    def page(self):
        """The path of the page with curves and scatter plots."""
        return self.directory / "sweep.html"

    def pivot(self, *arguments, **keys):
        """As `DataFrame.pivot`."""
        return self.frame.pivot(*arguments, **keys)

    def __repr__(self):
        return f"<Study {self.directory}: {len(self.table)} cases>"


def value_of(value):
    """A value in the notation of --vary: commas inside brackets and quotes are part of it."""
    return value if isinstance(value, str) else json.dumps(plain(value))


def study(scene, directory, vary, *, jobs=None, settings=None, zip=False, resume=False, samples=None, seed=None, progress=None):
    """Runs a scene at all combinations of some values, and returns a `Study`.

    vary     {"contact.friction": [0, .1, .3], "contact.restitution": "0:1:5"}; ranges are texts as of `carom sweep`
    jobs     processes at a time; None: as many as there are processors
    zip      pair the values instead of combining them
    resume   keep the cases that are done
    samples  number of random points of the ranges, instead of all combinations; `seed` selects them

    A case that fails does not stop the others: column `status` of the table. Raises BadInput if the study itself is not
    valid."""
    if not isinstance(vary, dict) or not vary:
        raise TypeError("vary is a dict of keys and their values, {'contact.friction': [0, 0.1]}")
    directory = Path(directory)
    with tempfile.TemporaryDirectory(prefix="carom-") as folder:
        if isinstance(scene, dict):
            # in the folder of the results, so that the study can be resumed
            directory.mkdir(parents=True, exist_ok=True)
            path = directory / "study_scene.yaml"
            (scene if isinstance(scene, Scene) else Scene(scene)).write(path)
        else:
            path = Path(scene)
        arguments = [command(), "sweep", str(path), "-o", str(directory)]
        if zip:
            list_ = Path(folder) / "cases.csv"
            list_.write_text(rows_of(vary), encoding="utf-8")
            arguments += ["--list", str(list_)]
        else:
            for key, values in vary.items():
                text = values if isinstance(values, str) else ",".join(value_of(value) for value in values)
                arguments += ["--vary", f"{key}={text}"]
        arguments += ["-j", str(jobs or os.cpu_count() or 1)]
        for key, value in (settings or {}).items():
            arguments += ["--set", f"{key}={value_of(value)}"]
        for option, value in (("--random", samples), ("--seed", seed)):
            if value is not None:
                arguments += [option, str(value)]
        if resume:
            arguments.append("--resume")
        seen = sys.stderr.isatty() if progress is None else progress
        done = subprocess.run(arguments, stdout=None if seen else subprocess.DEVNULL, stderr=None if seen else subprocess.PIPE, text=True)
    if done.returncode == 130:
        raise Interrupted("the study was interrupted; study(..., resume=True) goes on")
    if not (directory / "sweep.csv").exists():
        raise (BadInput if done.returncode == 2 else Numerical)((done.stderr or "").strip() or f"the study ended with {done.returncode}")
    return Study(directory)


def rows_of(vary):
    """The table of --list: keys, then one row for each case."""
    import csv
    import io
    lengths = {len(list(values)) for values in vary.values()}
    if len(lengths) != 1:
        raise ValueError("zip=True needs as many values of each key")
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(vary)
    writer.writerows([value_of(value) for value in row] for row in itertools.zip_longest(*vary.values()))
    return out.getvalue()
