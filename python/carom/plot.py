# SPDX-License-Identifier: MIT
"""Curves by matplotlib."""
import ctypes

import numpy as np

from . import _api
from ._library import library


def ledger_columns():
    """The energies of the ledger: the parts of the total, the total, and the losses."""
    count = ctypes.c_int()
    first = library.carom_ledger_columns(ctypes.byref(count))
    roles = (_api.CAROM_LEDGER_PART, _api.CAROM_LEDGER_TOTAL, _api.CAROM_LEDGER_LOSS)
    return tuple(first[i].name.decode() for role in roles for i in range(count.value) if first[i].role == role)


LEDGER = ledger_columns()
COLOURS = ("#4e79a7", "#f28e2b", "#59a14f", "#222222", "#e15759", "#b07aa1", "#9c755f", "#edc948", "#ff9da7", "#76b7b2")


def curves(result, columns=None, axes=None):
    """Draws columns of the history of a result, or of several, over time; by default energies and losses that are not
    zero throughout. Returns the axes."""
    import matplotlib.pyplot as pyplot
    results = result if isinstance(result, (list, tuple)) else [result]
    if axes is None:
        _, axes = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    styles = ("-", "--", ":", "-.")
    for number, item in enumerate(results):
        table = item.history
        chosen = [columns] if isinstance(columns, str) else columns
        if chosen is None:
            # omit columns that are negligible
            scale = 1e-3 * max((np.abs(table[name]).max() for name in LEDGER if name in table.dtype.names), default=0)
            chosen = [name for name in LEDGER if name in table.dtype.names and np.abs(table[name]).max() > scale]
        for name in chosen:
            if name not in table.dtype.names:
                raise KeyError(f"{name!r}; the history has {', '.join(table.dtype.names)}")
            label = name if len(results) == 1 else f"{item.directory.name}: {name}"
            axes.plot(table["time"], table[name], styles[number % 4], label=label, color=colour_of(name, chosen), linewidth=1.6)
    axes.set_xlabel("time")
    axes.set_ylabel("energy" if columns is None else "")
    axes.grid(True, alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    return axes


def colour_of(name, chosen):
    """The colour of a column is always the same."""
    return COLOURS[(LEDGER.index(name) if name in LEDGER else list(chosen).index(name)) % len(COLOURS)]


def compare(results, column="total"):
    """The same column of several results in one picture."""
    return curves(list(results), column)
