#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every broken mesh file gives exactly the message that stands beside it, exit code 2 and nothing else, and takes little memory."""
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

CAROM = Path(os.environ.get("CAROM", "build/carom")).resolve()
ROOT = Path(__file__).resolve().parents[2]
BAD, GOOD = ROOT / "test" / "meshes_bad", ROOT / "test" / "meshes_good"
AT_LEAST = 80
FORMATS = {".msh", ".inp", ".stl", ".obj", ".ply", ".vtu", ".vtk", ".mesh", ".unv"}


def run(*arguments, folder=BAD):
    """Exit code, stdout, stderr and the largest memory in bytes."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen([CAROM, "mesh", *map(str, arguments)], cwd=folder, stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return process.returncode, out.read().decode(), err.read().decode(), 1024 * usage.ru_maxrss


def bad_files():
    return sorted(path for path in BAD.iterdir() if path.suffix in FORMATS | {".dat"})


class BadMeshes(unittest.TestCase):
    def test_messages(self):
        files = bad_files()
        self.assertGreaterEqual(len(files), AT_LEAST)
        self.assertEqual({path.suffix for path in files}, FORMATS | {".dat"})
        for path in files:
            with self.subTest(file=path.name):
                code, out, err, _ = run(path.name)
                self.assertEqual(err, Path(f"{path}.expected").read_text())
                self.assertEqual(out, "")
                self.assertEqual(code, 2)

    def test_every_message_names_its_file(self):
        for expected in BAD.glob("*.expected"):
            self.assertTrue(expected.with_suffix("").exists(), expected.name)
            self.assertTrue(expected.read_text().startswith(f"carom: error: {expected.stem}:"), expected.name)

    def test_memory(self):
        # beyond what the program takes for a good file of the same size
        basis = run("tet_41.msh", folder=GOOD)[3]
        for path in bad_files():
            with self.subTest(file=path.name):
                self.assertLess(run(path.name)[3] - basis, 20 * path.stat().st_size + (64 << 20))

    def test_good_files(self):
        for path in sorted(path for path in GOOD.iterdir() if path.suffix in FORMATS):
            with self.subTest(file=path.name):
                code, out, err, _ = run(path.name, folder=GOOD)
                self.assertEqual(code, 0, err)
                self.assertIn("nodes", out)
                lines = err.splitlines()
                # Gmsh writes the sides of a body into a deck as elements
                if path.suffix == ".inp" and "meshio" not in path.name:
                    sides = re.compile(rf"carom: note: {path.name}:\d+: elements of type (T3D[23]|CPS[346]|M3D9) \(\d+\) are not cells "
                                       "of the body; they only name sets")
                    self.assertTrue(any(sides.fullmatch(line) for line in lines), err)
                    lines = [line for line in lines if not sides.fullmatch(line)]
                if "mixed" in path.name:
                    self.assertEqual(lines.pop(), f"carom: note: {path.name}: 1 prism, 1 pyramid and 1 hexahedron are cut into 11 tetrahedra")
                if "second_order" in path.name:
                    self.assertRegex(lines.pop(), rf"^carom: note: {path.name}: \d+ cells of higher order are reduced to their corners$")
                self.assertEqual(lines, [])

    def test_truncated_anywhere(self):
        """A file that is cut is refused with its name; test/unit/test_mesh_truncated.c cuts at every byte."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("tet_41.msh", "tet_41_binary.msh", "shell_meshio_binary.ply", "hex_vtk_raw.vtu", "shell_gmsh.stl"):
                data = (GOOD / name).read_bytes()
                for part in range(1, 20):
                    Path(folder, name).write_bytes(data[: len(data) * part // 20])
                    code, out, err, _ = run(name, folder=folder)
                    self.assertEqual((code, out), (2, ""), name)
                    self.assertRegex(err, rf"^carom: error: {name}: ?[^\n]+\n$")


if __name__ == "__main__":
    unittest.main()
