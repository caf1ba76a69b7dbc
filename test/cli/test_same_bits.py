# SPDX-License-Identifier: MIT
"""The result does not depend on threads, nor on what is written."""
from pathlib import Path

import cli


class SameBits(cli.CommandTest):
    def summary(self, directory, *arguments):
        self.carom("run", *arguments, "-o", directory)
        summary = cli.result(self.folder / directory)
        for name in ("wall_seconds", "threads"):
            summary.pop(name)
        return summary

    def state_of(self, out):
        return [line for line in out.splitlines() if "state 0x" in line][0].split("state ")[1]

    def test_threads(self):
        for elements in (20, 6000):
            scene = self.scene(end=30, every=5) if elements < 100 else self.scene(end=0.1, step=0.0008, every=5)
            sizes = [w for b in (0, 1) for w in ("--set", f"bodies[{b}].mesh.line.elements={elements}")]
            reference = self.summary("t1", scene, "--threads", 1, *sizes)
            for threads in (2, 3, 8):
                self.assertEqual(self.summary(f"t{threads}", scene, "--threads", threads, *sizes), reference)
                for name in ("history.csv", "probes.csv"):
                    self.assertEqual((self.folder / f"t{threads}" / name).read_bytes(), (self.folder / "t1" / name).read_bytes())

    def test_threads_of_tied_bodies(self):
        """Two bodies that are glued touch each other beside the seam, by the same bits with any number of threads."""
        scene = Path(__file__).resolve().parents[2] / "scenes/verify/tied_hook.yaml"
        reference = self.summary("t1", scene, "--threads", 1)
        self.assertIn(["plate", "hook"], [pair["bodies"] for pair in reference["pairs"]])
        self.assertEqual(reference["intersections"], 0)
        self.assertEqual(self.summary("t3", scene, "--threads", 3), reference)

    def test_threads_of_slip_speed(self):
        """Friction that falls with the slip speed, in all methods that share work among threads."""
        scene = Path(__file__).resolve().parents[2] / "scenes/verify/sliding_block.yaml"
        for method in ("newmark-dcr", "asynchronous", "nonsmooth-newmark"):
            words = [word for value in (f"integrator={method}", "time.end=0.3", "time.step=0.005", "expect={}",
                                        "contact.friction={static: 0.5, kinetic: 0.2, decay: 2}") for word in ("--set", value)]
            reference = self.summary(f"{method}1", scene, "--threads", 1, *words)
            self.assertEqual(self.summary(f"{method}3", scene, "--threads", 3, *words), reference)

    def test_output_on_and_off(self):
        scene = self.scene(end=30, every=3, frames=10, more='expect: {energy_error: "> 0"}\n')
        out, _ = self.carom("run", scene, "-o", "on")
        state = self.state_of(out)
        self.assertEqual(cli.result(self.folder / "on")["state_hash"], state)
        table = out[out.index("Energy"):out.index("\n600 steps")]
        self.assertIn("PASS", table)
        # the same ledger, drifts and verdicts without files
        out, _ = self.carom("run", scene, "--no-output")
        self.assertEqual(out[out.index("Energy"):out.index("\n600 steps")], table)
        self.assertEqual(self.state_of(out), state)
        for sets in (["output.history.every=1"], ["output.fields.every=0", "output.probes=[]"], ["output.history.bodies=true"],
                     ["output.checkpoint.every=7"]):
            arguments = [word for value in sets for word in ("--set", value)]
            self.assertEqual(self.summary("other", scene, *arguments)["state_hash"], state)

    def test_other_scene_has_other_hash(self):
        a = self.summary("a", self.scene(end=3))["state_hash"]
        b = self.summary("b", self.scene(end=3), "--set", "bodies[0].velocity=[0.1, 1e-15, 0]")["state_hash"]
        self.assertNotEqual(a, b)


if __name__ == "__main__":
    cli.main()
