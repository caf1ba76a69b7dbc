#!/bin/sh
# SPDX-License-Identifier: MIT
set -eu
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_PREFIX_PATH="$PREFIX"
cmake --build build -j "${CPU_COUNT:-2}"
cmake --install build
