# SPDX-License-Identifier: MIT
"""The check of unit tests accepts ours, finds planted violations, and tells which tests a source has."""
import subprocess
import unittest

from planted import ROOT, Planted

HEAD = "// SPDX-License-Identifier: MIT\n"


class Tests(Planted):
    tool = "check_tests"

    def test_clean(self):
        result = subprocess.run([ROOT / "tools/check_tests"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_by_name(self):
        for name, subject in (
                ("drift", "src/contact/impact/drift.c"),
                ("broad_list", "src/contact/broad/list.c"),
                ("drift_cascades", "src/contact/impact/drift.c, src/contact/impact"),
                ("narrow", "src/contact/narrow"),
                ("sum", "src/math/sum.h"),
        ):
            self.write(f"test/unit/test_{name}.c", HEAD + f"// Tests {subject}.\n")
        self.assert_clean()

    def test_other_name(self):
        self.write("test/unit/test_drifting.c", HEAD + "// Tests src/contact/impact/drift.c.\n")
        self.assert_found("is not named after src/contact/impact/drift.c: test_drift.c or test_impact_drift.c")

    def test_no_subject(self):
        self.write("test/unit/contact/impact/test_drift.c", HEAD + "// Contact inside the drift.\n")
        self.assert_found("test/unit/contact/impact/test_drift.c:2: expected '// Tests src/")

    def test_gone(self):
        self.write("test/unit/contact/impact/test_drift.c", HEAD + "// Tests src/contact/impact/drift.c, src/contact/drift.c.\n")
        self.assert_found("test/unit/contact/impact/test_drift.c:2: there is no src/contact/drift.c")

    def test_none(self):
        self.assert_found("there are no unit tests")

    def test_of(self):
        self.write("test/unit/contact/impact/test_drift.c", HEAD + "// Tests src/contact/impact/drift.c.\n")
        self.write("test/unit/test_impact.c", HEAD + "// Tests src/contact/impact.\n")
        self.write("test/unit/math/test_sum.c", HEAD + "// Tests src/math/sum.h.\n")
        found = self.check("--of", "src/contact/impact/drift.c").stdout.split()
        self.assertEqual(found, ["test/unit/contact/impact/test_drift.c", "test/unit/test_impact.c"])
        self.assertIn("no unit test", self.check("--of", "src/math/se3.h").stdout)


if __name__ == "__main__":
    unittest.main()
