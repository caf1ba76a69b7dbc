# SPDX-License-Identifier: MIT
"""The generated ctypes declarations are current, and their offsets and sizes agree with those of the C compiler."""
import ctypes
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import carom
import pytest
from carom import _api, _library

ROOT = Path(__file__).resolve().parents[2]
GENERATOR = ROOT / "tools" / "generate_python"
needs_parser = pytest.mark.skipif(importlib.util.find_spec("pycparser") is None, reason="pycparser is missing")


@needs_parser
def test_declarations_are_current():
    done = subprocess.run([sys.executable, str(GENERATOR), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@needs_parser
def test_offsets_agree_with_the_compiler(tmp_path):
    subprocess.run([sys.executable, str(GENERATOR), "--offsets", str(tmp_path / "o.c")], check=True)
    subprocess.run([os.environ.get("CC", "cc"), "-I", str(ROOT / "include"), str(tmp_path / "o.c"), "-o", str(tmp_path / "o")], check=True)
    lines = subprocess.run([str(tmp_path / "o")], capture_output=True, text=True, check=True).stdout.splitlines()
    structs = {struct.__name__: struct for struct in _api.STRUCTS}
    assert len(lines) > 500
    for line in lines:
        name, value = line.split()
        struct, _, field = name.partition(".")
        found = getattr(structs[struct], field).offset if field else ctypes.sizeof(structs[struct])
        assert found == int(value), name


def test_another_library_is_refused(monkeypatch):
    class carom_mesh(ctypes.Structure):
        _fields_ = _api.carom_mesh._fields_ + [("more", ctypes.c_int)]

    monkeypatch.setattr(_api, "STRUCTS", tuple(carom_mesh if s is _api.carom_mesh else s for s in _api.STRUCTS))
    with pytest.raises(ImportError, match="carom_mesh"):
        _library.compare_layouts(_library.library, "this one")
    monkeypatch.undo()
    monkeypatch.setattr(_library, "__version__", "9.9.9")
    with pytest.raises(ImportError, match="9.9.9"):
        _library.compare_layouts(_library.library, "this one")


def test_a_library_that_is_not_there(tmp_path):
    done = subprocess.run([sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT / 'python')!r}); import carom"],
                          capture_output=True, text=True, env=dict(os.environ, CAROM_LIBRARY=str(tmp_path / "none.so")))
    assert done.returncode and "CAROM_LIBRARY" in done.stderr


def test_all_public_names_have_a_text():
    for name in carom.__all__:
        item = getattr(carom, name)
        if not isinstance(item, str):
            assert item.__doc__, name
        if isinstance(item, type):
            for key, value in vars(item).items():
                if not key.startswith("_") and (callable(value) or isinstance(value, (property, classmethod))):
                    assert getattr(value, "__doc__", None), f"{name}.{key}"
