# SPDX-License-Identifier: MIT
"""Finds, loads and checks the shared library; the other modules call it through `library` and `call`.

It is searched for in CAROM_LIBRARY (a file), in the package (a wheel), in the build folder of a source tree (CAROM_BUILD, else
`build`), and in the search path of the system loader. Every call releases the global interpreter lock."""
import ctypes
import os
import sys
from pathlib import Path

from . import _api
from ._version import __version__
from .errors import BadInput, Finding, Interrupted, Numerical

FILES = ("libcarom.so.0", "libcarom.so", "libcarom.0.dylib", "libcarom.dylib")
HERE = Path(__file__).resolve().parent


def candidates():
    """Possible paths of the library, in the order of preference."""
    given = os.environ.get("CAROM_LIBRARY")
    if given:
        yield given
        return
    build = os.environ.get("CAROM_BUILD") or HERE.parent.parent / "build"
    for folder in (HERE / "lib", Path(build) / "lib"):
        for name in FILES:
            if (folder / name).exists():
                yield str(folder / name)
    yield from FILES


def load():
    failures = []
    for name in candidates():
        try:
            return ctypes.CDLL(name), name
        except OSError as failure:
            failures.append(str(failure))
    raise ImportError("carom: the library was not found; build it with `make`, or name it in CAROM_LIBRARY (" + failures[0] + ")")


def compare_layouts(library, name):
    """Refuses a library of another version or with other struct sizes, which would access wrong memory."""
    try:
        library.carom_version.restype = ctypes.c_char_p
        version = library.carom_version().decode()
        layouts = library.carom_layouts
    except AttributeError:
        raise ImportError(f"carom: {name} is older than this package ({__version__})") from None
    layouts.restype = ctypes.POINTER(_api.carom_layout)
    count = ctypes.c_int()
    rows = layouts(ctypes.byref(count))
    sizes = {rows[i].name.decode(): rows[i].size for i in range(count.value)}
    ours = {struct.__name__: ctypes.sizeof(struct) for struct in _api.STRUCTS}
    other = sorted(n for n in sizes if ours.get(n) != sizes[n])
    if version != __version__ or other:
        raise ImportError(f"carom: this package is of version {__version__}, and {name} of version {version}"
                          + (f"; they differ in {', '.join(other[:3])}" if other else ""))


def declare(library):
    for name, (result, arguments) in _api.FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments


library, path = load()
compare_layouts(library, path)
declare(library)
library.carom_findings_text.restype = ctypes.c_void_p


def take_text(address):
    """A text allocated by the library, which is freed here."""
    if not address:
        raise MemoryError("carom: memory is short")
    try:
        return ctypes.string_at(address).decode("utf-8", "replace")
    finally:
        library.carom_free(address)


def findings_of(list_, count):
    return [Finding(f.file.decode("utf-8", "replace"), f.line, f.column, f.path.decode("utf-8", "replace"),
                    f.message.decode("utf-8", "replace")) for f in (list_[i] for i in range(count))]


def check(status, error, findings=()):
    """Raises the exception of a status that is not CAROM_OK, with the message of the library."""
    if status == _api.CAROM_OK:
        return
    message = error.message.decode("utf-8", "replace")
    if status == _api.CAROM_BAD_INPUT:
        raise BadInput("\n".join(str(finding) for finding in findings) or message, findings)
    if status == _api.CAROM_NUMERICAL:
        raise Numerical(message)
    if status == _api.CAROM_IO:
        raise OSError(message)
    if status == _api.CAROM_NO_MEMORY:
        raise MemoryError(message)
    if status == _api.CAROM_INTERRUPTED:
        raise Interrupted(message or "interrupted")
    raise RuntimeError(f"carom: status {status}: {message}")


def call(name, *arguments):
    """Calls a function whose last argument is a carom_error, and raises the error as an exception."""
    error = _api.carom_error()
    check(getattr(library, name)(*arguments, ctypes.byref(error)), error)


def strings(values):
    """An array of texts for the library; the second result keeps them alive."""
    encoded = [value.encode() for value in values]
    return (ctypes.c_char_p * max(1, len(encoded)))(*encoded), encoded


def command():
    """The path of the command `carom` that belongs to the library."""
    given = os.environ.get("CAROM")
    folder = Path(path).resolve().parent if os.sep in path else None
    places = [Path(given)] if given else []
    if folder:
        places += [folder.parent / "carom", folder.parent / "bin" / "carom"]
    for place in places:
        if place.is_file() and os.access(place, os.X_OK):
            return str(place)
    from shutil import which
    found = which("carom")
    if found and Path(found).resolve() != Path(sys.argv[0]).resolve():
        return found
    raise FileNotFoundError("carom: the command `carom` was not found; name it in the environment variable CAROM")
