# SPDX-License-Identifier: MIT
"""Builds a wheel that contains the shared library, and therefore works with any Python 3 of one platform."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
BUILD = Path(os.environ.get("CAROM_BUILD") or HERE.parent / "build").resolve()


# What every system has: the C library and what belongs to it.
SYSTEM = ("linux-vdso", "ld-linux", "libc.so", "libm.so", "libdl.so", "libpthread.so", "librt.so", "libgcc_s.so")


def bundle(package):
    """Copies the libraries that carom needs next to it, so that the wheel needs no others. Requires patchelf."""
    folder = package / "lib"
    for program, origin in ((folder / "libcarom.so.0", "$ORIGIN"), (package / "bin" / "carom", "$ORIGIN/../lib")):
        if not program.exists():
            continue
        for line in subprocess.run(["ldd", str(program)], check=True, capture_output=True, text=True).stdout.splitlines():
            name, _, rest = line.strip().partition(" => ")
            if rest and not name.startswith(SYSTEM):
                shutil.copy2(rest.split(" (")[0], folder / name)
        subprocess.run(["patchelf", "--set-rpath", origin, str(program)], check=True)
    for library in folder.iterdir():
        subprocess.run(["patchelf", "--set-rpath", "$ORIGIN", str(library)], check=True)


class Wheel(bdist_wheel):
    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class Build(build_py):
    """Takes the library, the command and the page from the build folder, which is built first if it has no library."""

    def run(self):
        if not (BUILD / "lib" / "libcarom.so.0").exists():
            source = Path(os.environ.get("CAROM_SOURCE") or HERE.parent)
            subprocess.run(["cmake", "-S", str(source), "-B", str(BUILD), "-DCMAKE_BUILD_TYPE=Release"], check=True, stdout=sys.stderr)
            subprocess.run(["cmake", "--build", str(BUILD), "-j", str(os.cpu_count() or 2)], check=True, stdout=sys.stderr)
        super().run()
        package = Path(self.build_lib) / "carom"
        for source, target in ((BUILD / "lib" / "libcarom.so.0", "lib/libcarom.so.0"), (BUILD / "carom", "bin/carom"),
                               (BUILD / "viewer" / "report.html", "share/carom/report.html")):
            if source.exists():
                place = package / target
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source.resolve(), place)
        for program in (package / "lib" / "libcarom.so.0", package / "bin" / "carom"):
            subprocess.run(["strip", "--strip-unneeded", str(program)], check=False)
        if os.environ.get("CAROM_BUNDLE"):
            bundle(package)


setup(cmdclass={"bdist_wheel": Wheel, "build_py": Build})
