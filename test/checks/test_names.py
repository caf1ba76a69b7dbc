# SPDX-License-Identifier: MIT
"""The name check accepts the built libraries and finds every kind of planted violation."""
import os
import subprocess
import unittest

from planted import BUILD, Planted

GOOD = """
#define API __attribute__((visibility("default")))
API int carom_planted(void);
API int carom_planted(void) { return 0; }
"""


class Names(Planted):
    tool = "check_names"

    def build(self, source):
        """A tree of one header and one source instead of the copy, and its libraries."""
        self.root = self.folder()
        self.write("include/carom/planted.h",
                   "#ifndef CAROM_PLANTED_H\n#define CAROM_PLANTED_H\nCAROM_API int carom_planted(void);\n#endif\n")
        self.write("planted.c", source)
        (self.root / "build" / "lib").mkdir(parents=True, exist_ok=True)
        compiler = os.environ.get("CC", "cc")
        subprocess.run([compiler, "-fPIC", "-fvisibility=hidden", "-c", "planted.c"], cwd=self.root, check=True)
        subprocess.run([compiler, "-shared", "planted.o", "-o", "build/lib/libcarom.so"], cwd=self.root, check=True)
        archive = self.root / "build/lib/libcarom.a"
        subprocess.run(["ar", "rc", archive, "planted.o"], cwd=self.root, check=True)

    def test_clean(self):
        self.assert_clean("--build", BUILD)

    def test_as_a_command(self):
        self.assertEqual(self.command("--build", BUILD).returncode, 0)

    def test_small_clean(self):
        self.build(GOOD)
        self.assert_clean()

    def test_foreign_export(self):
        self.build(GOOD + "API int helper(void);\nAPI int helper(void) { return 1; }\n")
        self.assert_found("libcarom.so: exports helper")

    def test_unmarked_export(self):
        self.build(GOOD + "API int carom_secret(void);\nAPI int carom_secret(void) { return 1; }\n")
        self.assert_found("exports carom_secret, which no header marks with CAROM_API")

    def test_foreign_global(self):
        self.build(GOOD + "int helper(void);\nint helper(void) { return 1; }\n")
        self.assert_found("libcarom.a: global symbol helper does not start with carom_")

    def test_foreign_variable(self):
        self.build(GOOD + "int counter;\n")
        self.assert_found("global symbol counter does not start with carom_")

    def test_missing_function(self):
        self.append("include/carom/mesh.h", "CAROM_API const double (*carom_mesh_planted(int count))[3];\n")
        self.assert_found("carom_mesh_planted is marked with CAROM_API but", "--build", BUILD)

    def test_no_libraries(self):
        self.assert_found("build first")

    def test_inexact_calls(self):
        self.append("src/model/model.h", "static inline double carom_planted(double x) { return 2 * sin(x); }\n")
        self.assert_found("sin differs between C libraries; take that of math/functions.h", "--build", BUILD)

    def test_sums_over_processes(self):
        self.append("src/parallel/petsc.c", "static void add(double *x) {\n    MPI_Allreduce(MPI_IN_PLACE, x, 1,\n"
                    "                  MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n}\n")
        self.assert_found("a sum of doubles over processes has an order", "--build", BUILD)

    def test_exact_calls(self):
        self.append("src/model/model.h", "static inline double carom_planted(double x) { return fmod(sqrt(x), carom_sin(x)); } // sin(x)\n")
        self.assert_clean("--build", BUILD)

    def test_inexact_symbols(self):
        # A macro hides the call from a reader of sources, not from the linker.
        self.build(GOOD + "#include <math.h>\n#define ROOT(x, f) f(x, 1.0 / 3)\n"
                   "API int carom_planted(void);\nint carom_other(double x);\nint carom_other(double x) { return (int)ROOT(x, pow); }\n")
        self.assert_found("libcarom.a: calls pow of the C library")

    def test_types(self):
        planted = (
            ("typedef struct planted { int a; } planted;\n", "planted"),
            ("typedef struct carom_planted { struct { int b; } a; } Planted;\n", "Planted"),
            ("struct tagged {\n    int a;\n};\n", "tagged"),
            ("typedef double real;\n", "real"),
            ("typedef double vector[3];\n", "vector"),
            ("typedef void (*callback)(int a);\n", "callback"),
        )
        # all at once, under different names
        for text, _ in planted:
            self.append("src/model/model.h", text)
        found = self.check("--build", BUILD)
        self.assertEqual(found.returncode, 1, found.stderr)
        for _, name in planted:
            self.assertIn(f"type {name} is not called carom_...", found.stderr)

    def test_constants(self):
        self.append("include/carom/mesh.h", "enum { CAROM_ONE = 1, TWO };\n")
        self.assert_found("constant TWO is not called CAROM_...", "--build", BUILD)

    def test_macros(self):
        self.append("src/model/model.h", "#define MAX(a, b) ((a) > (b) ? (a) : (b))\n")
        self.assert_found("macro MAX is not called CAROM_...", "--build", BUILD)

    def test_guards(self):
        self.replace("include/carom/mesh.h", "CAROM_MESH_H", "CAROM_MASH_H")
        self.assert_found("the guard is not called CAROM_MESH_H", "--build", BUILD)


if __name__ == "__main__":
    unittest.main()
