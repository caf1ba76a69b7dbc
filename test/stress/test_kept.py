#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scenes in which tools/stress has found a fault that was mended: none comes back. Also with files of your own as arguments."""
import json
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from stress.case import verdict_on  # noqa: E402

CAROM = os.environ.get("CAROM", "build/carom")

faulty = 0
for path in [pathlib.Path(name) for name in sys.argv[1:]] or sorted((HERE / "kept").glob("*.json")):
    verdict = verdict_on(CAROM, json.loads(path.read_text(encoding="utf-8")), how=("killed", path.name))
    print(f"{path.name}: {verdict.outcome} {verdict.message}")
    for kind, text in verdict.faults:
        print(f"  FAULT {kind}: {text}")
    faulty += bool(verdict.faults)
sys.exit(1 if faulty else 0)
