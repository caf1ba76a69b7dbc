#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ctrl-C is answered within two seconds of work wherever a run is, with exit code 130 and the last good state."""
import signal
import time

import cli

# Processor seconds that an answer may take.
ANSWER = 2

# One factorisation by the direct solver takes minutes, or seconds with fewer elements.
IMPLICIT = """
title: one factorisation takes minutes
{method}
gravity: [0, 0, -1]
bodies:
  - {{name: block, mesh: {{box: {{from: [0, 0, 0], to: [1, 1, 1], elements: [{n}, {n}, {n}]}}}}, element: hex8,
     material: {{st-venant-kirchhoff: {{young: 100, density: 1}}}}}}
restraints: [{{body: block, set: zmin, fix: xyz}}]
contact: false
output: {{fields: {{every: 0}}}}
"""

# Large bodies: a step takes up to seconds, with a row, a frame or an audit.
LARGE = """
title: a large block falls
integrator: {method}
time: {{end: 1}}
gravity: [0, 0, -10]
bodies:
  - {{name: block, mesh: {{box: {{from: [0, 0, 0.0001], to: [1, 1, 1], elements: [{n}, {n}, {n}], cells: tet4}}}},
     element: tet4, material: {{neo-hookean: {{young: 1e5, poisson: 0.3, density: 1000}}}}, velocity: [0, 0, -1]}}
contact: {{planes: [{{name: floor, normal: [0, 0, 1]}}]}}
output: {{history: {{every: 1}}, fields: {{every: {frames}}}}}
"""

# Two plates of bricks meet face to face: thousands of impacts in a drift.
HEAP = """
title: plates meet face to face
integrator: newmark-dcr
time: {end: 10, follow: "false"}
bodies:
  - {name: lower, mesh: {box: {from: [0, 0, 0], to: [1, 1, 0.05], elements: [40, 40, 2]}}, element: hex8,
     material: {linear: {young: 1000, density: 1}}, velocity: [0, 0, 1]}
  - {name: upper, mesh: {box: {from: [0.013, 0.017, 0.0501], to: [1.013, 1.017, 0.1], elements: [40, 40, 2]}}, element: hex8,
     material: {linear: {young: 1000, density: 1}}, velocity: [0, 0, -1]}
contact: {restitution: 1}
output: {fields: {every: 0}}
"""


class Interrupts(cli.CommandTest):
    def begin(self, text, name, after, under_way=True):
        """Starts a run, and returns it when it has used so many processor seconds since its first file was there, or the start."""
        path = self.folder / "scene.yaml"
        path.write_text(text)
        process = self.start("run", path, "-q", "-o", name, "--threads", "1")
        if under_way:
            cli.wait_for(lambda: (self.folder / name / "history.csv").exists() or process.poll() is not None)
        goal = after + (cli.spent(process.pid) if process.poll() is None else 0)
        cli.wait_for(lambda: process.poll() is not None or cli.spent(process.pid) >= goal)
        self.assertIsNone(process.poll(), "the case is too small: it has ended")
        return process

    def answers(self, text, after):
        process = self.begin(text, "out", after)
        err, spent = self.interrupt(process)
        self.assertEqual(process.returncode, 130, err)
        self.assertLess(spent, ANSWER)
        self.assertRegex(err, r"interrupted at step \d+ of \d+; step \d+ is saved in")
        self.assertTrue((self.folder / "out/checkpoint.carom").exists())

    def test_factorisation_of_a_step(self):
        self.answers(IMPLICIT.format(method="integrator: {energy-momentum: {solver: direct}}\ntime: {end: 1, step: 0.5}", n=26), 5)

    def test_factorisation_of_an_equilibrium(self):
        self.answers(IMPLICIT.format(method="analysis: {static: {steps: 500}}", n=16), 5)

    def test_steps_and_audits(self):
        self.answers(LARGE.format(method="newmark-dcr", n=36, frames=0), 3)

    def test_frames(self):
        self.answers(LARGE.format(method="newmark-dcr", n=24, frames=1), 3)

    def test_asynchronous(self):
        self.answers(LARGE.format(method="asynchronous", n=16, frames=0), 3)

    def test_nonsmooth(self):
        self.answers(LARGE.format(method="nonsmooth-newmark", n=24, frames=0), 3)

    def test_impacts(self):
        self.answers(HEAP, 3)

    def test_echo(self):
        """A signal that comes twice in a row, as `timeout` sends it, counts once."""
        text = LARGE.format(method="newmark-dcr", n=24, frames=0)
        for which in (signal.SIGINT, signal.SIGTERM):
            process = self.begin(text, f"out{which}", 1)
            for _ in range(2):
                process.send_signal(which)
                time.sleep(0.002)
            _, err = process.communicate(timeout=600)
            self.assertEqual(process.returncode, 130, err)
            self.assertRegex(err, r"step \d+ is saved in")
            self.assertTrue((self.folder / f"out{which}/checkpoint.carom").exists())

    def test_set_up(self):
        """Before the first step there is nothing to save: the signal ends the program at once."""
        process = self.begin(LARGE.format(method="newmark-dcr", n=80, frames=0), "out", 1, under_way=False)
        _, spent = self.interrupt(process)
        self.assertIn(process.returncode, (130, -signal.SIGINT))
        self.assertLess(spent, ANSWER)


if __name__ == "__main__":
    cli.main()
