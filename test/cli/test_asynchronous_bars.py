# SPDX-License-Identifier: MIT
"""Two graded bars of bricks, Wolff & Bucher, section 8.1: every element with a step of its own, beside newmark-dcr."""
import unittest
from pathlib import Path

import cli

PAPER = Path(__file__).resolve().parents[2] / "scenes/papers/asynchronous"


def first(times, values, condition):
    return next(t for t, value in zip(times, values) if condition(value))


class Bars(cli.SceneTest):
    OPTIONS = ("--threads", 1)

    def check_bars(self, n, method, energy):
        """The gates of section 8.1: bars that part at 20, momentum, energy throughout, tips."""
        summary, rows = self.by(PAPER / "two_bars.yaml", "out", *method, "output.history.bodies=true",
                                *(f"bodies[{i}].mesh.box.{key}={value}" for i, m in enumerate((n, n + 1))
                                  for key, value in (("elements", [5 * m, m, m]), ("blend", [1 / m, 0, 0]))))
        self.assertEqual(summary["intersections"], 0)
        # the last touch of all, and the end of the force: from then on 0.5 % of the impulse, which is 2 for the exact bars
        self.assertAlmostEqual(summary["pairs"][0]["last_contact"], 20, delta=0.6)
        moment = rows["left.px"]
        exchanged = moment[0] - moment[-1]
        self.assertAlmostEqual(exchanged, 2, delta=0.05)
        self.assertAlmostEqual(first(rows["time"], moment, lambda p: moment[0] - p > 0.995 * exchanged), 20, delta=0.6)
        for axis in ("px", "py", "pz"):
            self.assertLess(max(map(abs, rows[axis])), 1e-13)
        start = rows["total"][0]
        self.assertLess(max(abs(e - start) for e in rows["total"]), energy * start)
        # tips stay where they touch and part with the speed at which they came, up to the way in which a wave passes one and a half of the longest cells
        late = 1.5 * 10 / (5 * n) * (1 / n + (1 - 1 / n) * (10 * n - 1) / (5 * n))
        for tip, sign in (("left_tip.ux", 1), ("right_tip.ux", -1)):
            for t, u in zip(rows["time"], rows[tip]):
                self.assertAlmostEqual(u, sign * min(0, 0.1 * (20 - t)), delta=0.1 * late)
        return rows

    def test_two_bars(self):
        self.check_bars(4, ["integrator.asynchronous.beta=0.25"], 0.05)
        self.check_bars(4, ["integrator=newmark-dcr"], 0.01)
        if cli.LONG:
            self.check_bars(4, ["integrator.asynchronous.beta=0.1"], 0.01)

    @unittest.skipUnless(cli.LONG, "make verify runs the fine bars")
    def test_two_fine_bars(self):
        self.check_bars(8, ["integrator.asynchronous.beta=0.25", "time.end=24", "output.fields.every=40"], 0.05)

    def test_bars_by_looking(self):
        """The paper's way, elastic: overlap remains and energy is gained, within the same gates."""
        for contact in ("adaptive", "sequential-synchronous", *(["constant"] if cli.LONG else [])):
            summary, rows = self.by(PAPER / "two_bars.yaml", "out", f"integrator.asynchronous.contact={contact}", "time.end=24",
                                    "contact.restitution=1", "expect={steps: '> 0'}")
            self.assertLess(summary["momentum_error"], 1e-13)
            start = rows["total"][0]
            self.assertLess(max(abs(e - start) for e in rows["total"]), 0.05 * start)
            # less than half of the thinnest brick at the contact
            self.assertGreater(summary["max_penetration"], 0)
            self.assertLess(summary["max_penetration"], 0.046)


if __name__ == "__main__":
    cli.main()
