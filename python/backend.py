# SPDX-License-Identifier: MIT
"""Builds the wheel for `pip install .` at the top of the tree: setuptools runs in a copy of python/, because it leaves
folders behind, and takes library and command from build/ of the tree (CAROM_BUILD), which it builds if they are missing."""
import os
import shutil
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    from setuptools import build_meta

    os.environ.setdefault("CAROM_BUILD", str(HERE.parent / "build"))
    os.environ["CAROM_SOURCE"] = str(HERE.parent)
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "python"
        shutil.copytree(HERE, copy, ignore=shutil.ignore_patterns("__pycache__", "tests"))
        os.chdir(copy)
        try:
            return build_meta.build_wheel(os.path.join(before, wheel_directory), config_settings)
        finally:
            os.chdir(before)
