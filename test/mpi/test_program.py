# SPDX-License-Identifier: MIT
"""How processes are started: carom, carom-mpi, mpirun, and what is refused."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import same_files

CAROM = Path(os.environ.get("CAROM", "build/carom")).resolve()
SCENE = Path("scenes/papers/dcr/two_bars.yaml").resolve()
BLOCKS = Path("scenes/verify/block_on_block.yaml").resolve()


class Program(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="carom-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def command(self, *words, code=0, **variables):
        environment = same_files.environment()
        environment.update(variables)
        environment = {name: value for name, value in environment.items() if value is not None}
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300, env=environment,
                              cwd=self.folder, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}{done.stderr}")
        return done.stdout, done.stderr

    def refused(self, *words, **variables):
        """One line, exit code 2."""
        out, err = self.command(*words, code=2, **variables)
        self.assertEqual(out, "")
        self.assertEqual(len(err.splitlines()), 1, err)
        self.assertTrue(err.startswith("carom: error: "), err)
        return err

    def mpirun(self, ranks, *words, **keywords):
        return self.command("mpirun", "--quiet", "--oversubscribe", "--bind-to", "none", "-n", ranks, *words, **keywords)

    def test_carom_is_without_mpi(self):
        libraries = subprocess.run(["ldd", str(CAROM)], capture_output=True, text=True, check=True).stdout.lower()
        self.assertNotIn("libmpi", libraries)
        self.assertNotIn("petsc", libraries)
        libraries = subprocess.run(["ldd", f"{CAROM}-mpi"], capture_output=True, text=True, check=True).stdout.lower()
        self.assertIn("petsc", libraries)
        # its MPI would stand in for the real one
        self.assertNotIn("mpiseq", libraries)

    def test_one_process(self):
        sets = ["time.end=40", "output.fields.every=200", "output.checkpoint.every=100"]
        self.assertEqual(same_files.compare(CAROM, SCENE, sets, self.folder, [(1, 1, "")]), [])

    def test_bad_counts(self):
        for text in ("0", "-1", "two", "1.5", "", "99999999999999999999"):
            self.assertIn("--ranks expects a whole number", self.refused(CAROM, "run", SCENE, f"--ranks={text}"))
        # a machine would come to a standstill
        self.assertIn("--ranks 100000: this machine has", self.refused(CAROM, "run", SCENE, "--ranks", 100000))
        self.assertIn("remove one of the two",
                      self.mpirun(2, CAROM, "run", SCENE, "--ranks", 3, code=2)[1])

    def test_partition(self):
        """By Scotch: the same files. Refused without processes to deal to, and by other names."""
        code, _, _ = same_files.run(CAROM, BLOCKS, [], self.folder / "serial")
        self.command(CAROM, "run", BLOCKS, "-o", self.folder / "scotch", "--ranks", 2, "--partition", "scotch")
        self.assertEqual((code, same_files.differences(self.folder / "serial", self.folder / "scotch")), (0, []))
        self.assertIn("--partition requires --ranks", self.refused(CAROM, "run", SCENE, "--partition", "scotch"))
        self.assertIn("expects bisection|scotch", self.refused(CAROM, "run", SCENE, "--ranks", 2, "--partition", "metis"))

    def test_what_is_missing(self):
        alone = self.folder / "bin" / "carom"
        alone.parent.mkdir()
        shutil.copy(CAROM, alone)
        self.assertIn("carom-mpi, which is neither in the folder of carom nor in PATH", self.refused(alone, "run", SCENE, "--ranks", 2))
        # four runs into one directory must not happen
        err = self.mpirun(3, alone, "run", SCENE, code=2)[1]
        self.assertIn("3 processes were started, which need carom-mpi", err)
        self.assertEqual(len(err.splitlines()), 1, err)
        self.assertFalse((self.folder / "out").exists())
        self.assertIn("needs mpirun", self.refused(CAROM, "run", SCENE, "--ranks", 2, PATH=str(alone.parent)))
        # found in PATH
        (alone.parent / "carom-mpi").symlink_to(f"{CAROM}-mpi")
        self.assertIn("needs mpirun", self.refused(alone, "run", SCENE, "--ranks", 2, PATH=str(alone.parent)))

    @unittest.skipUnless(os.geteuid() == 0 and Path(shutil.which("mpirun")).resolve().name in ("orterun", "prterun"),
                         "only Open MPI refuses root")
    def test_root(self):
        self.assertIn("OMPI_ALLOW_RUN_AS_ROOT", self.refused(CAROM, "run", SCENE, "--ranks", 2, OMPI_ALLOW_RUN_AS_ROOT=None))

    def test_other_commands(self):
        """Rank 0 alone answers."""
        out, err = self.mpirun(3, CAROM, "--version")
        self.assertEqual((out.count("carom"), err), (1, ""))
        out, _ = self.mpirun(2, CAROM, "check", SCENE)
        self.assertEqual(out.count("two_bars"), 1, out)
        for words in (["bla"], ["run", "nowhere.yaml"], ["run"], ["run", SCENE, "--threads", "many"]):
            out, err = self.mpirun(2, CAROM, *words, code=2)
            self.assertEqual((out, len(err.splitlines())), ("", 1), err)

    def test_profile(self):
        """The time between processes has phases of its own, and those of all processes are told."""
        scene = self.folder / "scene.yaml"
        scene.write_text("integrator: newmark-dcr\ntime: {end: 0.1, step: 0.01}\nbodies:\n  - name: box\n"
                         "    mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [4, 4, 4], cells: tet4}}\n"
                         "    element: tet4\n    material: {linear: {young: 1, poisson: 0.3, density: 1}}\n")
        out, _ = self.command(CAROM, "run", scene, "--ranks", 2, "--profile", "-o", "out")
        self.assertIn("of the first process; mean and most: seconds of all processes", out)
        self.assertRegex(out, r"memory: [0-9]+ MB, of other processes [0-9]+ MB at most")
        found = json.loads((self.folder / "out" / "summary.json").read_text())
        self.assertGreater(min(found["memory"]), 1e6)
        for name in ("elements", "nodes", "exchange", "agreement"):
            phase = found["profile"][name]
            self.assertGreater(phase["seconds"], 0)
            self.assertGreaterEqual(phase["most_seconds"], phase["seconds"])
            # whole nanoseconds
            self.assertLessEqual(phase["mean_seconds"], phase["most_seconds"] + 1e-9)
            self.assertGreaterEqual(2 * phase["mean_seconds"] + 1e-9, phase["most_seconds"])

    def test_dump(self):
        here, _ = self.command(CAROM, "run", SCENE, "--dump")
        there, _ = self.mpirun(2, CAROM, "run", SCENE, "--dump")
        self.assertEqual(here, there)


if __name__ == "__main__":
    unittest.main(module=sys.modules["__main__"], verbosity=2)
