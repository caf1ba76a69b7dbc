# SPDX-License-Identifier: MIT
"""The entry point `carom` of a wheel, which runs the program in the wheel."""
import os
import sys
from pathlib import Path


def main():
    """Replaces this process by the program."""
    program = Path(__file__).resolve().parent / "bin" / "carom"
    if not program.exists():
        sys.exit("carom: this installation of the package has no command; it is in a build of carom or in its Debian package")
    os.execv(program, ["carom", *sys.argv[1:]])
