#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every scene of the papers, of verify and of the gallery runs and keeps its gates; in a build with sanitizers, which is many times slower, all
# but the longest.
set -euo pipefail
if ! grep -q '^CAROM_SANITIZE:STRING=.' "$CAROM_BUILD/CMakeCache.txt"; then
    exec "$CAROM" verify --all
fi
mapfile -t scenes < <(find "$CAROM_SOURCE/scenes" -name '*.yaml' |
    grep -vE '/(hertz|pile|bars_of_bricks_graded|seventysix_cubes_solid|dominoes|cradle_of_balls|cantilever|ring_impact|golf_ball)\.yaml$' | sort)
exec "$CAROM" verify "${scenes[@]}"
