#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every scene of the papers, of verify and of the gallery runs and keeps its gates, but for the long ones: `make verify` runs them,
# and test_shell_scenes.py, test_block_assembly.py and test_degenerate_scenes.py their beginnings. The latter runs those of
# degenerate geometry, too. A build with sanitizers, which is many times slower, leaves out more.
set -euo pipefail
# The last two lines have scenes of some five seconds and more.
long='sphere_sphere|sphere_plate|seventysix_cubes|crushed_tube|block_assembly|fragments|degenerate/.*|golf/plate|golf/club|nail/hammer|rebound/curve|tubes/crash_quarter|tubes/crash_fine|heap_1000'
long+='|block_sliding_to_rest|pile|rubber_ball|ring_impact|golf_ball|bounces/bar|bounces/fine_bar|bounces/plane_bars_svk'
long+='|conserving_ball|taylor/one_point|taylor/bricks|taylor/tetrahedra|bounces/plane_bars_linear|dented_plate|bars_of_bricks_graded|gallery/dominoes'
if grep -q '^CAROM_SANITIZE:STRING=.' "$CAROM_BUILD/CMakeCache.txt"; then
    long+='|hertz|hertz_press|pile|seventysix_cubes_solid|dominoes|cradle_of_balls|cantilever|five_cubes|dropped_tin|ring_impact|golf_ball|rolling_block|fragments_2d|asynchronous/two_bars|asynchronous/sliding_block|drop_with_insert|bars_of_bricks|bars_of_tetrahedra'
fi
mapfile -t scenes < <(find scenes -name '*.yaml' | grep -vE "/($long)\.yaml$" | sort)
exec "$CAROM" verify "${scenes[@]}"
