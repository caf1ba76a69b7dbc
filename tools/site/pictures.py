#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The pictures of the gallery, docs/pictures/scenes/*.webp, and the seconds of its scenes:

    tools/site/pictures.py CAROM [--limit SECONDS] [SCENE...]

Each scene (papers/dcr/two_bars; default: those without a picture) runs on one thread. One that takes longer than the limit (60
s) is stopped, its picture is of the frames that it has, and it gets no seconds. Check the pictures before you commit them. The
interpreter must have Pillow (python3-pil of Debian)."""
import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

sys.dont_write_bytecode = True
import gallery

ROOT = Path(__file__).resolve().parent.parent.parent
SIZE = "640x480"


def run(words, limit):
    """Seconds of processor time of a command, and whether it came to its end."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + limit
    while True:
        number, status, usage = os.wait4(process.pid, os.WNOHANG)
        if number:
            process.returncode = os.waitstatus_to_exitcode(status)
            # 1: a gate of the scene has failed, which is no matter of its picture
            return usage.ru_utime + usage.ru_stime, process.returncode in (0, 1)
        if time.monotonic() > end:
            process.send_signal(signal.SIGINT)
            end += 60
        time.sleep(0.02)


def rounded(seconds):
    return "<1" if seconds < 1 else f"{float(f'{seconds:.1g}' if seconds < 10 else f'{seconds:.2g}'):.0f}"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("carom")
    arguments.add_argument("--limit", type=float, default=60)
    arguments.add_argument("scenes", nargs="*")
    given = arguments.parse_intermixed_args()
    known = gallery.seconds_of(ROOT)
    (ROOT / gallery.PICTURES).mkdir(parents=True, exist_ok=True)
    for scene in gallery.scenes_of(ROOT):
        if scene.name not in given.scenes if given.scenes else scene.picture:
            continue
        with tempfile.TemporaryDirectory() as folder:
            words = [given.carom, "run", ROOT / scene.file, "-o", folder, "-q", "--threads", "1"]
            seconds, whole = run(words, given.limit)
            drawn = Path(folder, "picture.png")
            draw = [given.carom, "picture", folder, "-o", drawn, "--size", SIZE]
            done = subprocess.run(draw, capture_output=True, text=True)
            if done.returncode:  # the scene asks for no frames
                run([*words, "--set", "output.fields.every=auto"], given.limit)
                done = subprocess.run(draw, capture_output=True, text=True)
            if drawn.is_file():
                Image.open(drawn).convert("RGB").save(ROOT / gallery.picture_of(scene.name), quality=85, method=6)
        if whole:
            known[scene.name] = rounded(seconds)
        print(f"{scene.name}: {seconds:.1f} s{'' if whole else ', stopped'}", (done.stderr or "").strip(), flush=True)
        (ROOT / gallery.SECONDS).write_text(
            "# Scene, seconds of processor time on one thread; written by tools/site/pictures.py\n"
            + "".join(f"{name} {known[name]}\n" for name in sorted(known)))


if __name__ == "__main__":
    main()
