# SPDX-License-Identifier: MIT
"""fields.vtkhdf in the layout that ParaView reads; skipped where carom was built without HDF5 or there is no h5py."""
import signal
import sys

import cli

try:
    import h5py
except ImportError:
    h5py = None


class VtkHdf(cli.CommandTest):
    def settings(self, form):
        return ["--set", f"output.fields.format={form}"]

    def check(self, path, times):
        with h5py.File(path, "r") as file:
            root = file["VTKHDF"]
            self.assertEqual(list(root.attrs["Version"]), [2, 0])
            kind = root.attrs.get_id("Type")
            self.assertFalse(kind.get_type().is_variable_str())
            self.assertEqual(root.attrs["Type"], b"UnstructuredGrid")
            for name, value in {"NumberOfPoints": 43, "NumberOfCells": 41, "NumberOfConnectivityIds": 81}.items():
                self.assertEqual(list(root[name]), [value])
            steps = root["Steps"]
            count = len(times)
            self.assertEqual(steps.attrs["NSteps"], count)
            self.assertEqual(list(steps["Values"]), times)
            self.assertEqual(root["Points"].shape, (43 * count, 3))
            self.assertEqual(list(root["Types"]), [3] * 40 + [1])
            self.assertEqual(list(root["Offsets"]), list(range(0, 81, 2)) + [81])
            self.assertEqual(list(steps["PartOffsets"]), [0] * count)
            self.assertEqual(list(steps["NumberOfParts"]), [1] * count)
            self.assertEqual(list(steps["PointOffsets"]), [43 * k for k in range(count)])
            for name in ("CellOffsets", "ConnectivityIdOffsets"):
                self.assertEqual(steps[name].shape, (count, 1))
                self.assertFalse(steps[name][:].any())
            for name, stride in {"displacement": 43, "velocity": 43, "impulse": 43, "contact_force": 43, "contact_state": 43, "body": 0,
                                 "mass": 0}.items():
                self.assertEqual(list(steps["PointDataOffsets"][name]), [stride * k for k in range(count)])
                self.assertEqual(len(root["PointData"][name]), 43 * count if stride else 43)
            for name, stride in {"axial_strain": 41, "axial_stress": 41, "body": 0}.items():
                self.assertEqual(list(steps["CellDataOffsets"][name]), [stride * k for k in range(count)])
                self.assertEqual(len(root["CellData"][name]), 41 * count if stride else 41)
            return {name: root[name][:].tolist() for name in ("Points", "PointData/velocity", "CellData/axial_stress")}

    def test_layout(self):
        self.carom("run", self.scene(end=5, frames=30), "-o", "out", *self.settings("vtkhdf"))
        self.check(self.folder / "out/fields.vtkhdf", [k * 0.05 for k in (0, 30, 60, 90, 100)])
        self.assertFalse((self.folder / "out/fields.pvd").exists())

    def test_resumed(self):
        length = dict(end=2000, every=10, frames=4000)
        self.carom("run", self.scene(**length), "-o", "whole", *self.settings("both"))
        process = self.start("run", self.scene(**length), "-o", "cut", *self.settings("both"), "--set",
                             "output.checkpoint.every=777")
        frame = self.folder / "cut/fields/frame_000002.vtu"
        cli.wait_for(lambda: frame.exists() or process.poll() is not None)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        self.carom("run", self.scene(**length), "-o", "cut", *self.settings("both"), "--resume")
        times = [k * 0.05 for k in range(0, 40001, 4000)]
        self.assertEqual(self.check(self.folder / "cut/fields.vtkhdf", times), self.check(self.folder / "whole/fields.vtkhdf", times))


class Unsupported(cli.CommandTest):
    def test_message(self):
        _, err = self.carom("check", self.scene(), "--set", "output.fields.format=vtkhdf", code=2)
        self.assertIn("vtkhdf", err)


if __name__ == "__main__":
    import os
    cli.CAROM = os.path.abspath(cli.CAROM)
    folder = cli.tempfile.TemporaryDirectory()
    scene = cli.Path(folder.name) / "scene.yaml"
    scene.write_text(cli.SCENE.format(end=1, step=0.05, every=1, frames=1))
    supported = cli.subprocess.run([cli.CAROM, "check", scene, "--set", "output.fields.format=vtkhdf"],
                                   capture_output=True).returncode == 0
    folder.cleanup()
    if not supported:
        del VtkHdf
    elif not h5py:
        sys.exit(cli.SKIPPED)
    else:
        del Unsupported
    cli.main()
