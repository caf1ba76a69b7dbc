#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The scenes of golden/ end in the states whose hashes golden/hashes.txt holds: with every compiler, for all copies of the
kernels that the processor can run, on ARM64. The scenes of solver/ go through MUMPS and BLAS, which round differently on other
processors: their hashes must only agree between the programs and the copies of kernels on this machine.

    test/determinism/test_golden.py [--kernels NAME] [--no-solver] [--write] [CAROM...]

With several programs all of them are compared. --write writes the hashes anew: after a change of results that was intended."""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
HASHES = HERE / "golden" / "hashes.txt"
KERNELS = ("baseline", "v3", "v4")
PROBE = HERE / "golden" / "dcr_projection.yaml"


def run(carom, scene, kernels):
    """The state hash of a run with one thread, and the kernels that it says it used."""
    environment = dict(os.environ, CAROM_KERNELS=kernels)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([carom, "run", scene, "-o", folder, "--quiet", "--threads", "1"], env=environment, capture_output=True,
                              text=True, timeout=600)
        if done.returncode:
            sys.exit(f"golden: {carom} run {scene} with {kernels} ended with {done.returncode}:\n{done.stderr}")
        summary = json.loads((Path(folder) / "summary.json").read_text(encoding="utf-8"))
    if summary["kernels"] != kernels:
        sys.exit(f"golden: {carom} was asked for the kernels {kernels} and took {summary['kernels']}")
    return summary["state_hash"]


def runnable(carom):
    """The copies of the kernels that this program can run on this processor."""
    def accepts(kernels):
        done = subprocess.run([carom, "run", PROBE, "--no-output", "--quiet", "--threads", "1"], capture_output=True, text=True,
                              env=dict(os.environ, CAROM_KERNELS=kernels))
        if done.returncode and (done.returncode != 2 or f"CAROM_KERNELS={kernels}: this processor has" not in done.stderr):
            sys.exit(f"golden: {carom} run {PROBE} ended with {done.returncode}:\n{done.stderr}")
        return done.returncode == 0
    found = [kernels for kernels in KERNELS if accepts(kernels)]
    if "baseline" not in found or accepts("v9"):
        sys.exit(f"golden: {carom} must run the kernels baseline, and refuse v9")
    return found


def read_hashes():
    if not HASHES.exists():
        return {}
    lines = (line.split() for line in HASHES.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#"))
    return {name: value for name, value in lines}


def write_hashes(hashes):
    lines = ["# State hashes of the scenes beside, written by test/determinism/test_golden.py --write."]
    lines += [f"{name} {value}" for name, value in sorted(hashes.items())]
    HASHES.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="Compares the states of short scenes with their golden hashes.")
    parser.add_argument("--kernels", choices=KERNELS, help="only with these kernels, not with all that can run")
    parser.add_argument("--no-solver", action="store_true", help="without the scenes that solve with MUMPS")
    parser.add_argument("--write", action="store_true", help="write the hashes of golden/ anew")
    parser.add_argument("carom", nargs="*", default=[os.environ.get("CAROM", "build/carom")])
    args = parser.parse_args()

    golden = sorted(HERE.glob("golden/*.yaml"))
    solver = [] if args.no_solver else sorted(HERE.glob("solver/*.yaml"))
    cases = [(scene, carom, kernels) for carom in args.carom for kernels in ([args.kernels] if args.kernels else runnable(carom))
             for scene in golden + solver]
    with ThreadPoolExecutor(2) as pool:
        results = list(zip(cases, pool.map(lambda case: run(case[1], case[0], case[2]), cases)))

    if args.write:
        write_hashes({case[0].stem: value for case, value in results if case[0] in golden})
    wanted, wrong, first = read_hashes(), [], {}
    if sorted(wanted) != [scene.stem for scene in golden]:
        wrong.append(f"{HASHES.name} does not name exactly the scenes of golden/")
    for (scene, carom, kernels), value in results:
        expected = wanted.get(scene.stem) if scene in golden else first.setdefault(scene.stem, value)
        if value != expected:
            wrong.append(f"{scene.parent.name}/{scene.stem}: {value} by {carom} with {kernels}, expected {expected}")
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        sys.exit(f"golden: {len(wrong)} of {len(results)} runs differ")
    print(f"golden: {len(golden)} scenes and {len(solver)} with a solver, {len(results)} runs, have the same bits "
          f"({', '.join(sorted({kernels for _, _, kernels in cases}))})")


if __name__ == "__main__":
    main()
