# SPDX-License-Identifier: MIT
"""Results: the files of a run, read on demand."""
import csv
import html
import json
import subprocess
from pathlib import Path

import numpy as np

from ._library import command
from .vtu import Frame


class Table(np.recarray):
    """A table of a run: an array with named columns, `table["kinetic"]` or `table.kinetic`; `table.frame` is a
    pandas.DataFrame."""

    @property
    def frame(self):
        """The same as a DataFrame."""
        import pandas
        return pandas.DataFrame({name: np.asarray(self[name]) for name in self.dtype.names})


def read_table(path):
    """A CSV file: columns of numbers are floats, others are texts. An incomplete last row is ignored."""
    with open(path, newline="", encoding="utf-8") as file:
        text = file.read()
    rows = list(csv.reader(text[:text.rfind("\n") + 1].splitlines()))
    names, rows = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]
    columns = []
    for index in range(len(names)):
        cells = [row[index] for row in rows]
        try:
            columns.append(np.array([float(cell) if cell else np.nan for cell in cells]))
        except ValueError:
            columns.append(np.array(cells, dtype=object))
    table = np.rec.fromarrays(columns, names=names) if rows else np.recarray(0, [(name, float) for name in names])
    return table.view(Table)


class Fields:
    """The frames of the animation by time. len(fields), fields.times, fields[0.45] (the nearest), fields.at(3) (by number), and
    a loop `for time, frame in fields`. A frame maps names of fields to arrays, which are read on demand."""

    def __init__(self, directory):
        import xml.etree.ElementTree as tree
        path = Path(directory) / "fields.pvd"
        if not path.exists():
            raise FileNotFoundError(f"{directory} has no animation (fields.pvd)")
        sets = tree.parse(path).getroot().iter("DataSet")
        entries = [(float(entry.get("timestep")), Path(directory) / entry.get("file")) for entry in sets]
        self.times = np.array([time for time, _ in entries])
        self._paths = [file for _, file in entries]

    def __len__(self):
        return len(self._paths)

    def at(self, number):
        """The frame of that number; negative ones count from the end."""
        return Frame(self._paths[number])

    def __getitem__(self, time):
        if not len(self):
            raise IndexError("there are no frames")
        return self.at(int(np.argmin(np.abs(self.times - time))))

    def __iter__(self):
        return ((time, Frame(path)) for time, path in zip(self.times, self._paths))


class Result:
    """The directory of a run.

    summary   the content of summary.json
    history   the ledger over time; probes, pairs, contacts: the other tables, where the scene asked for them
    fields    the frames of the animation, by time"""

    def __init__(self, directory):
        self.directory = Path(directory)
        if not (self.directory / "history.csv").exists() and not (self.directory / "summary.json").exists():
            raise FileNotFoundError(f"{directory} holds no result of carom")

    def __repr__(self):
        return f"<Result {self.directory}>"

    @property
    def summary(self):
        """The outcome of the run."""
        return json.loads((self.directory / "summary.json").read_text(encoding="utf-8"))

    @property
    def hash(self):
        """The state hash at the end."""
        return int(self.summary["state_hash"], 16)

    @property
    def passed(self):
        """True if all gates of `expect:` hold."""
        return all(gate["passed"] for gate in self.summary.get("expect", ()))

    def _table(self, name, how):
        path = self.directory / name
        if not path.exists():
            raise FileNotFoundError(f"{self.directory} has no {name}{how}")
        return read_table(path)

    @property
    def history(self):
        """history.csv: the ledger at each row."""
        return self._table("history.csv", "")

    @property
    def probes(self):
        """probes.csv."""
        return self._table("probes.csv", ": the scene has no output.probes")

    @property
    def pairs(self):
        """pairs.csv: contact forces between bodies."""
        return self._table("pairs.csv", ": output.history.pairs is off, or nothing touched")

    @property
    def contacts(self):
        """contacts.csv: each impulse."""
        return self._table("contacts.csv", ": the scene does not say output.contacts: true")

    @property
    def fields(self):
        """The frames of the animation."""
        return Fields(self.directory)

    def plot(self, columns=None, axes=None):
        """Curves over time by matplotlib; see `carom.plot.curves`."""
        from .plot import curves
        return curves(self, columns, axes)

    def write_report(self, path=None):
        """Writes the report page; returns its path."""
        arguments = [command(), "report", str(self.directory)] + (["-o", str(path)] if path else [])
        done = subprocess.run(arguments, capture_output=True, text=True)
        if done.returncode:
            raise OSError(done.stderr.strip() or "the report page could not be written")
        return Path(path) if path else self.directory / "report.html"

    def show(self, height=640):
        """The report page in a frame, for Jupyter."""
        page = self.write_report().read_text(encoding="utf-8")
        text = f'<iframe srcdoc="{html.escape(page)}" width="100%" height="{height}" style="border:0"></iframe>'
        try:
            from IPython.display import HTML
        except ImportError:
            return text
        return HTML(text)

    def _repr_html_(self):
        summary = self.summary
        rows = "".join(f"<tr><td>{html.escape(str(key))}</td><td>{html.escape(str(summary[key]))}</td></tr>"
                       for key in ("title", "integrator", "steps", "contact_events", "energy_error", "momentum_error", "state_hash")
                       if key in summary)
        return f"<table>{rows}</table><p><code>.show()</code> opens the page, <code>.plot()</code> draws the books.</p>"
