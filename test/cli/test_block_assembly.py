# SPDX-License-Identifier: MIT
"""The assembly of cubes of the paper on asynchronous collisions, coarser and shorter: the first impact and its consequences."""
import os
import re
from pathlib import Path
import cli

SCENE = Path(os.environ.get("CAROM_SOURCE", Path(__file__).parents[2])) / "scenes/papers/asynchronous/block_assembly.yaml"


class BlockAssembly(cli.CommandTest):
    def test_the_first_impact(self):
        # cells of twice the size and half of beta: the time steps remain about the same
        sizes = [int(n) for n in re.findall(r"elements: \[(\d)", SCENE.read_text())]
        self.assertEqual(len(sizes), 19)
        overrides = []
        for body, size in enumerate(sizes):
            coarse = size // 2
            overrides += ["--set", f"bodies[{body}].mesh.box.elements=[{coarse}, {coarse}, {coarse}]"]
        self.carom("run", SCENE, "-q", "-o", "out", "--set", "time.end=0.4", "--set", "integrator.asynchronous.beta=0.25",
                   *overrides)
        summary = cli.result(self.folder / "out")
        self.assertEqual(summary["intersections"], 0)
        self.assertGreater(summary["contact_events"], 1000)
        self.assertGreater(summary["element_updates"], 100000)


if __name__ == "__main__":
    cli.main()
