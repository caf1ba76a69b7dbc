# SPDX-License-Identifier: MIT
"""The catalogues of the library (generators, elements, materials, integrators) as Python functions. Their signatures and
docstrings come from the parameter tables of the library, from which the manual is generated as well."""
import ctypes
import difflib
import inspect
import json
import keyword

from . import _api
from ._library import library

TYPES = {
    _api.CAROM_PARAM_REAL: float, _api.CAROM_PARAM_INT: int, _api.CAROM_PARAM_BOOL: bool, _api.CAROM_PARAM_CHOICE: str,
    _api.CAROM_PARAM_NAME: str, _api.CAROM_PARAM_TEXT: str, _api.CAROM_PARAM_VEC3: list, _api.CAROM_PARAM_INT3: list,
    _api.CAROM_PARAM_PAIRS: list,
}


def identifier_of(name):
    """A valid name in Python: neo-hookean -> neo_hookean, from -> from_."""
    text = name.replace("-", "_")
    return text + "_" if keyword.iskeyword(text) else text


def default_of(text):
    """The default of a row as a Python value: a truth value, number or list; any other word as text."""
    for word, value in (("true", True), ("false", False)):
        if text == word:
            return value
    try:
        return json.loads(text)
    except ValueError:
        return text


class Parameter:
    """One row of a parameter table."""

    def __init__(self, row):
        self.name = row.name.decode()
        self.identifier = identifier_of(self.name)
        self.type = TYPES[row.type]
        self.unit = row.unit.decode() if row.unit else ""
        self.required = row.initial is None
        self.default = None if self.required else default_of(row.initial.decode())
        self.doc = row.doc.decode() if row.doc else ""
        buffer = ctypes.create_string_buffer(256)
        library.carom_param_expected(ctypes.byref(row), ctypes.cast(buffer, ctypes.c_void_p), 256)
        self.expected = buffer.value.decode()


class Kind:
    """A member of a catalogue."""

    def __init__(self, row):
        self.name = row.name.decode()
        self.identifier = identifier_of(self.name)
        self.summary = row.summary.decode() if row.summary else ""
        self.reference = row.reference.decode() if row.reference else ""
        self.parameters = [Parameter(row.params[i]) for i in range(row.param_count)]

    def doc(self):
        """Summary, publication, and one line for each parameter."""
        lines = [self.summary]
        if self.reference:
            lines += ["", f"After: {self.reference}"]
        if self.parameters:
            lines += ["", "Parameters"]
        for p in self.parameters:
            unit = f" [{p.unit}]" if p.unit else ""
            default = "required" if p.required else f"default {p.default!r}"
            lines.append(f"    {p.identifier}{unit}: {p.expected}; {default}. {p.doc}")
        return "\n".join(lines)


def catalogue(function):
    """The kinds of a catalogue, by the name of the C function that gives it."""
    table = getattr(library, function)().contents
    kinds = ctypes.cast(table.kinds, ctypes.POINTER(ctypes.POINTER(_api.carom_kind)))
    return [Kind(kinds[i].contents) for i in range(table.count)]


def function_of(kind, result, module):
    """A function that takes the parameters of a kind by keyword and returns {kind: parameters}, as a scene has it."""
    names = {p.identifier: p.name for p in kind.parameters}
    parameters = [inspect.Parameter(p.identifier, inspect.Parameter.KEYWORD_ONLY, annotation=p.type,
                                    default=inspect.Parameter.empty if p.required else p.default) for p in kind.parameters]
    # keyword parameters without a default may follow others
    signature = inspect.Signature(parameters, return_annotation=result)

    required = [p.identifier for p in kind.parameters if p.required]

    def make(**values):
        for key in values:
            if key not in names:
                near = difflib.get_close_matches(key, names, 1)
                raise TypeError(f"{kind.identifier} has no parameter {key!r}"
                                + (f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(names) or 'none'}"))
        missing = [key for key in required if key not in values]
        if missing:
            raise TypeError(f"{kind.identifier} needs {', '.join(missing)}")
        return result({kind.name: {names[key]: value for key, value in values.items()}})

    make.__name__ = make.__qualname__ = kind.identifier
    make.__module__, make.__doc__, make.__signature__ = module, kind.doc(), signature
    return make
