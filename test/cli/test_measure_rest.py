# SPDX-License-Identifier: MIT
"""tools/measure_rest: what its table says of bodies at rest, and of one that is no longer where it stood."""
import importlib.machinery
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import cli

ROOT = Path(os.environ.get("CAROM_SOURCE", Path(__file__).parents[2]))
TOOL = ROOT / "tools/measure_rest"
LOADER = importlib.machinery.SourceFileLoader("measure_rest", str(TOOL))
TOOL_SPEC = importlib.util.spec_from_loader("measure_rest", LOADER)
TABLE = importlib.util.module_from_spec(TOOL_SPEC)
LOADER.exec_module(TABLE)


class MeasureRest(cli.CommandTest):
    def rows(self, *words):
        command = [sys.executable, TOOL, cli.CAROM, "--keep", self.folder, *words]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return [[cell.strip() for cell in line.split("|")[1:-1]] for line in printed.splitlines()[2:]]

    def test_three_cubes(self):
        """They stand, creep by what solves leave, and contact adds less than a millionth of their potential energy."""
        (row,) = self.rows("--steps", "400", "three_cubes")
        self.assertEqual(row[:2] + row[-1:], ["`three_cubes`", "400", "standing"])
        self.assertLess(float(row[2]), 1e-5)
        self.assertLess(float(row[3]), 1e-6)
        frames = [TABLE.read(frame) for frame in sorted((self.folder / "three_cubes/fields").glob("*.vtu"))]
        # 8 kg each, 0.1, 0.3 and 0.5 above the floor but for layers
        self.assertAlmostEqual(TABLE.potential(frames[0][1], 10), 80 * 0.9, delta=0.01)
        self.assertAlmostEqual(float(row[6]), TABLE.distance(frames[0], frames[-1]), delta=1e-7)

    def test_energy_that_rises(self):
        """The rise after the lowest value counts, with what friction took; not the fall before, nor what comes later."""
        path = self.folder / "history.csv"
        path.write_text("time,total,friction,restitution,oscillation\n0,5,0,0,0\n1,1,0,0,0\n2,1,2,1,0.5\n3,9,2,1,0\n")
        self.assertAlmostEqual(TABLE.added(path, 2), 2.5)
        self.assertAlmostEqual(TABLE.added(path, 9), 11)

    def test_speeds(self):
        """Steps per second of a run that slows down to a half in its second half."""
        samples = [(k, k if k <= 10 else 10 + 2 * (k - 10)) for k in range(1, 21)]
        self.assertAlmostEqual(TABLE.speed(samples, 0, 0.1, 50), 50)
        self.assertAlmostEqual(TABLE.speed(samples, 0.9, 1, 50), 25)


if __name__ == "__main__":
    cli.main()
