# SPDX-License-Identifier: MIT
"""solver: petsc of the command: equilibria and motions of elimination, to the tolerance; what it says, and who refuses it."""
import csv
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import same_files

CAROM = Path(os.environ.get("CAROM", "build/carom")).resolve()
MPI = CAROM.with_name("carom-mpi")
SCENES = Path("scenes").resolve()
MUMPS = "-carom_ksp_type preonly -carom_pc_type cholesky -carom_pc_factor_mat_solver_type mumps"

# Displacements differ by at most this part of the largest.
AGREEMENT = 1e-9


class Petsc(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="carom-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_scene(self, program, scene, kind, solver, code=0, **variables):
        """The printed text, the summary, and displacements of the last rows of probes."""
        out = self.folder / f"{scene.stem}-{solver}"
        done = subprocess.run([program, "run", scene, "-o", out, "--set", f"{kind}.solver={solver}"], capture_output=True, text=True,
                              timeout=300, env={**same_files.environment(), **variables}, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        if code:
            return done.stderr, None, None
        rows = [{}]
        if (out / "probes.csv").exists():
            rows = list(csv.DictReader((out / "probes.csv").read_text(encoding="utf-8").splitlines()))
        moved = {name: float(value) for name, value in rows[-1].items() if name.partition(".")[2] in ("ux", "uy", "uz")}
        return done.stdout, json.loads((out / "summary.json").read_text(encoding="utf-8")), moved

    def compare(self, scene, kind, tolerance=None, **variables):
        _, direct, expected = self.run_scene(CAROM, scene, kind, "direct")
        text, petsc, found = self.run_scene(MPI, scene, kind, "petsc", **variables)
        self.assertIs(direct["reproducible"], True)
        self.assertIs(petsc["reproducible"], False)
        self.assertIn("last bits may differ from run to run", text)
        self.assertEqual((petsc["solver"]["factorisations"], petsc["solver"]["fallbacks"]), (0, 0), petsc["solver"])
        self.assertGreater(petsc["solver"]["linear_iterations"], 0)
        largest = max(map(abs, expected.values()), default=1)
        for name, value in expected.items():
            self.assertAlmostEqual(found[name], value, delta=AGREEMENT * largest, msg=name)
        if tolerance:
            self.assertLess(petsc["energy_error"], tolerance)
        # the gates of the scene have passed, or its exit code would not be 0
        self.assertEqual(petsc["events"], direct["events"])

    def test_statics(self):
        for scene in sorted((SCENES / "verify" / "static").glob("*.yaml")):
            with self.subTest(scene=scene.stem):
                self.compare(scene, "analysis.static")

    def test_motions(self):
        for name in "gallery/tumbling_l_block.yaml", "papers/energy-momentum/two_bars.yaml":
            with self.subTest(scene=name):
                self.compare(SCENES / name, "integrator.energy-momentum", 1e-11)

    def test_options(self):
        self.compare(SCENES / "verify" / "static" / "cook.yaml", "analysis.static", PETSC_OPTIONS=MUMPS)

    def test_what_does_not_converge_is_eliminated(self):
        _, petsc, _ = self.run_scene(MPI, SCENES / "verify" / "static" / "cook.yaml", "analysis.static", "petsc",
                                     PETSC_OPTIONS="-carom_ksp_max_it 1 -carom_pc_type none -carom_ksp_type richardson")
        self.assertGreater(petsc["solver"]["fallbacks"], 0)

    def test_is_refused_without_petsc(self):
        error, _, _ = self.run_scene(CAROM, SCENES / "verify" / "static" / "cook.yaml", "analysis.static", "petsc", code=2)
        self.assertEqual(len(error.splitlines()), 1, error)
        self.assertRegex(error, r"solver: petsc is in carom-mpi only, which make mpi builds")


if __name__ == "__main__":
    unittest.main()
