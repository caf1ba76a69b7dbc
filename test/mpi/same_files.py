#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs scenes by one process and by several, and compares all files:  test/mpi/same_files.py [options] SCENE[:KEY=VALUE...]...

    --carom PATH       the command (default: $CAROM, else build/carom); carom-mpi lies beside it
    --ranks 1,2,3      numbers of processes
    --threads N        threads of each process (1)
    --owners TEXT      how nodes are dealt to processes (CAROM_OWNERS), such as random:7; repeatable, "" stands for the own way
    --keep DIR         keep the results there

Files must be equal to the last byte. In summary.json the lines that tell how the run was made, its wall time and threads, are
left out; the rest of it, and what the command prints, must be equal.
"""
import argparse
import filecmp
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Lines of summary.json that depend on the machine.
OF_THE_RUN = re.compile(r'^\s*"(wall_seconds|threads|threads_used|processes|rebalances|imbalance)":')
# A line of progress, which a run of some seconds writes to stderr.
PROGRESS = re.compile(r"^carom: +[\d.]+ %  t .*\n", re.M)
# What a test takes for a run that hangs; on a crowded machine processes that wait for each other are slow.
LIMIT = 900


def environment(owners=""):
    """For many processes on few processors, as root in a container."""
    found = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_mpi_yield_when_idle="1",
                 OMP_WAIT_POLICY="passive", CAROM_THREADS="fixed", NO_COLOR="1")
    found.pop("OMP_NUM_THREADS", None)
    found.pop("CAROM_OWNERS", None)
    if owners:
        found["CAROM_OWNERS"] = owners
    return found


def run(carom, scene, sets, directory, ranks=0, threads=1, owners="", more=()):
    """One run; returns exit code, stdout and stderr. 0 ranks: the program without MPI; otherwise carom-mpi, also on one."""
    program = [str(carom)]
    if ranks:
        program = ["mpirun", "--quiet", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), f"{carom}-mpi"]
    words = [word for value in sets for word in ("--set", value)]
    done = subprocess.run([*program, "run", str(scene), *words, "-o", str(directory), "--threads", str(threads), *more],
                          env=environment(owners), capture_output=True, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def printed(text, directory):
    """What the command printed, without the name of the directory, the number of threads and the time it took; no progress."""
    text = text.replace(str(directory), "DIR")
    text = PROGRESS.sub("", text)
    text = re.sub(r"(\d+ processes x )?\d+ threads?$", "THREADS", text, flags=re.M)
    return re.sub(r"steps? in \S+ s", "steps in TIME", text)


def content(path):
    if path.name == "summary.json":
        lines = path.read_text(encoding="utf-8").splitlines()
        return [line for line in lines if not OF_THE_RUN.match(line)]
    return path.read_bytes()


def files_of(directory):
    return {path.relative_to(directory) for path in Path(directory).rglob("*") if path.is_file()}


def differences(one, other):
    """What differs between two directories of results: a list of texts."""
    a, b = files_of(one), files_of(other)
    found = [f"only one has {path}" for path in sorted(a ^ b)]
    for path in sorted(a & b):
        if filecmp.cmp(one / path, other / path, shallow=False):
            continue
        first, second = content(one / path), content(other / path)
        if first == second:
            continue
        text = f"{path} differs"
        if isinstance(first, bytes):
            try:
                first, second = first.decode().splitlines(), second.decode().splitlines()
            except UnicodeDecodeError:
                first = second = []
        for number, (left, right) in enumerate(zip(first, second), 1):
            if left != right:
                text += f" in line {number}:\n      {left[:160]}\n      {right[:160]}"
                break
        found.append(text)
    return found


def compare(carom, scene, sets, folder, runs, report=None):
    """Runs the scene by one process, then as each of `runs` says: ranks, threads, owners. Returns what differs."""
    found = []
    serial = Path(folder) / "serial"
    begin = time.monotonic()
    code, out, err = run(carom, scene, sets, serial)
    if code not in (0, 1, 3):
        return [f"the serial run ends with {code}: {err.strip()}"]
    cost = [f"serial {time.monotonic() - begin:.1f} s"]
    for count, threads, owner in runs:
        name = f"{count} x {threads}" + (f", {owner}" if owner else "")
        directory = Path(folder) / (f"r{count}x{threads}" + owner.replace(":", "_"))
        begin = time.monotonic()
        try:
            result = run(carom, scene, sets, directory, count, threads, owner)
        except subprocess.TimeoutExpired:
            found.append(f"{name}: hangs")
            continue
        cost.append(f"{name} {time.monotonic() - begin:.1f} s")
        if result[0] != code:
            found.append(f"{name}: ends with {result[0]}, not {code}: {result[2].strip()[-800:]}")
            continue
        for now, then in zip(result[1:], (out, err)):
            if printed(now, directory) != printed(then, serial):
                found.append(f"{name}: prints something else\n{printed(now, directory)}\nnot\n{printed(then, serial)}")
        found += [f"{name}: {text}" for text in differences(serial, directory)]
    if report:
        print(f"{report}: {'; '.join(cost)}", flush=True)
    return found


def runs_of(ranks, threads, owners):
    """All combinations; who owns a node is no question on one rank."""
    return [(count, threads, owner) for count in ranks for owner in (owners if count > 1 else [""])]


def main():
    parser = argparse.ArgumentParser(description="Compares all files of runs by one process and by several.")
    parser.add_argument("scenes", nargs="+", metavar="SCENE[:KEY=VALUE...]")
    parser.add_argument("--carom", default=os.environ.get("CAROM", "build/carom"))
    parser.add_argument("--ranks", default="1,2,3")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--owners", action="append")
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args()
    ranks = [int(text) for text in args.ranks.split(",")]
    failed = 0
    for text in args.scenes:
        scene, *sets = text.split(":")
        with tempfile.TemporaryDirectory(prefix="carom-ranks-") as folder:
            if args.keep:
                folder = args.keep / Path(scene).stem
                folder.mkdir(parents=True, exist_ok=True)
            runs = runs_of(ranks, args.threads, args.owners or [""])
            found = compare(Path(args.carom).resolve(), scene, sets, folder, runs, scene)
        for line in found:
            print(f"    DIFFERENT: {line}", flush=True)
        failed += bool(found)
    print(f"{len(args.scenes) - failed} of {len(args.scenes)} scenes are the same on {args.ranks} ranks")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
