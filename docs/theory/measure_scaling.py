#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the tables of docs/theory/parallel.md: the time of a step on many processes, by a model of a few constants.

    python3 docs/theory/measure_scaling.py

The model is derived on that page. Constants of the machine were measured as the comments say, on one core of an Intel Xeon with
AVX-512 with other load, by processor time; those of the network are assumptions, usual for InfiniBand.
"""
import math

TAU = 38e-9  # s: a tetrahedron in a step.             carom-bench ranks --case box: 37.8 ms for 998,250
T_SEARCH = 170e-9  # s: search, per node of a surface. carom-bench ranks --case cubes, --profile: 0.529 s/(108 steps x 29,336)
T_CHECK = 17e-9  # s: first check and choice, as above.  the same before the first impact: 4 ms/(8 steps x 29,336)
T_HIT = 12e-6  # s: one hit with all that follows.     the same: (0.468 s - 0.054 s)/36,112 hits; two boxes: 13 us
T_COPY = 50e-9  # s: what every process does for each node of the contact space: some 240 bytes of memory
ALPHA = 2e-6  # s: a message
BETA = 10e9  # bytes/s: of a link
MEMORY = 5e9  # bytes/s: of one core
VOTES = 7  # votes, sums and agreements in a step; counted
BATCH = 3  # layers of cells that are computed again at a border across the direction of the numbering; others: 1
HITS = 0.012  # hits in a step, per node of a surface: 76 cubes, 36,112/(108 x 29,336)
LARGEST = 140  # hits of the largest group


def cells(elements, processes):
    """Cells on a side of the share of a process."""
    return (elements / 6 / processes) ** (1 / 3)


def times(elements, processes):
    """Seconds in a step: elements, exchange, contact with all hits in one sequence, contact with many groups."""
    m, n = cells(elements, processes), 6 * (elements / 6) ** (2 / 3)
    alone = processes == 1
    again = 0 if alone else (1 + BATCH / m) * (1 + 1 / m) ** 2 - 1
    ghosts = 0 if alone else (m + 2 * (BATCH + 1)) * (m + 2) ** 2 - m**3
    log = math.log2(processes)
    work = TAU * elements / processes * (1 + again)
    halo = 0 if alone else 26 * ALPHA + 24 * ghosts * (1 / BETA + 2 / MEMORY)
    votes = VOTES * 2 * ALPHA * log
    gather = 0 if alone else 24 * n * (1 / BETA + 2 / MEMORY) + T_COPY * n + 4 * ALPHA * log
    shared = (T_SEARCH + T_CHECK) * n / processes
    hits = HITS * n
    one = shared + T_HIT * hits + gather
    groups = shared + 1.7 * T_HIT * max(1.5 * hits / processes, min(hits, LARGEST)) + gather + 60 * ALPHA
    return work, halo + votes, one, one if alone else groups


def number(value):
    return f"{value:.0f}" if value >= 9.95 else f"{value:.1f}" if value >= 0.995 else f"{value:.2f}"


def table():
    print("| elements | processes | elements, ms | exchange and votes, ms | efficiency without contact | contact in one sequence, ms"
          " | speed-up | contact in groups, ms | speed-up |")
    print("|---|---|---|---|---|---|---|---|---|")
    for elements, counts in ((1e6, (8, 64, 1024)), (1e7, (8, 64, 1024)), (1e8, (64, 256, 1024))):
        alone = times(elements, 1)
        for p in counts:
            work, exchange, one, groups = times(elements, p)
            free = alone[0] / p / (work + exchange)
            speed = [(alone[0] + alone[2]) / (work + exchange + c) for c in (one, groups)]
            print(f"| {elements:.0e} | {p} | {number(1e3 * work)} | {number(1e3 * exchange)} | {free:.2f} |"
                  f" {number(1e3 * one)} | {speed[0]:.0f} | {number(1e3 * groups)} | {speed[1]:.0f} |".replace("e+0", "e"))


if __name__ == "__main__":
    table()
