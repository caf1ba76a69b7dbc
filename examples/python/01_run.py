# SPDX-License-Identifier: MIT
"""A scene file, run with other values than it has; results as tables. The hash is that of the command."""
import tempfile
from pathlib import Path

import carom

SCENES = Path(__file__).resolve().parents[2] / "scenes"

with tempfile.TemporaryDirectory() as folder:
    result = carom.run(SCENES / "papers" / "dcr" / "two_bars.yaml", folder, {"time.end": 40.0})
    history = result.history
    print(f"{result.summary['steps']} steps, state {result.summary['state_hash']}")
    print(f"largest residual {abs(history.residual).max():.2g} of {history.total[0]:.4g}")
    print(f"momentum after the impact {history.px[-1]:.6g}, before {history.px[0]:.6g}")

    # two equal bars exchange nothing but their velocities: momentum is conserved, energy is back after the impact
    assert result.passed
    assert abs(history.px - history.px[0]).max() < 1e-12
    assert abs(history.residual).max() < 1e-9 * history.total[0]
