# SPDX-License-Identifier: MIT
"""Threads that wait do not keep a processor busy, unless the environment says how they wait."""
import os
import signal

import cli


class WaitingThreads(cli.CommandTest):
    def environment(self, **settings):
        """Of a run that has begun, which was started with these settings alone."""
        env = {k: v for k, v in os.environ.items() if k not in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME")}
        name = "-".join(settings) or "none"
        process = self.start("run", self.scene(end=1e6, every=1000000), "-o", name, "-q", env={**env, **settings})
        cli.wait_for(lambda: (self.folder / name / "history.csv").exists() or process.poll() is not None)
        with open(f"/proc/{process.pid}/environ", "rb") as file:
            found = dict(entry.split(b"=", 1) for entry in file.read().split(b"\0") if b"=" in entry)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=600)
        self.assertEqual(process.returncode, 130)
        return {k: found.get(k.encode(), b"").decode() for k in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")}

    def test_short_spin_by_default(self):
        self.assertEqual(self.environment(), {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "1000"})

    def test_settings_of_the_user_stand(self):
        self.assertEqual(self.environment(OMP_WAIT_POLICY="active"), {"OMP_WAIT_POLICY": "active", "GOMP_SPINCOUNT": ""})
        self.assertEqual(self.environment(GOMP_SPINCOUNT="7"), {"OMP_WAIT_POLICY": "", "GOMP_SPINCOUNT": "7"})


if __name__ == "__main__":
    cli.main()
