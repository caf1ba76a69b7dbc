# SPDX-License-Identifier: MIT
"""The layer check accepts the tree and finds every kind of planted violation."""
import unittest
from pathlib import Path

from planted import ROOT, Planted


class Layers(Planted):
    tool = "check_layers"

    # An include between two rooms of one layer, of which the first does not know the second; one per layer with rooms at least.
    ROOMS = (("mesh/generate", "mesh/files/draft.h"), ("material/flow", "material/lanes/law.h"),
             ("contact/broad", "contact/pairs/inside.h"), ("element/solid", "element/average/nodal.h"),
             ("element/shell", "element/average/volumes.h"), ("model/motion", "model/forces/forces.h"),
             ("model/forces", "model/state/ledger.h"), ("output/frames", "output/run/output.h"),
             ("scene/read", "scene/build/placing.h"), ("scene/build", "scene/check/suggest.h"), ("app/show", "app/run/head.h"))
    # A folder of each kind whose sizes are looked at.
    SIZED = ("src/base", "app", "test/unit/base", "bench", "examples")

    def assert_all_found(self, *words):
        """All in one go, and nothing else."""
        result = self.check()
        for each in words:
            self.assertIn(each, result.stderr)
        self.assertIn(f"layers: {len(words)} violations", result.stderr)

    def test_clean(self):
        self.assert_clean()

    def test_as_a_command(self):
        self.assertEqual(self.command().returncode, 0)

    def test_upward(self):
        self.append("src/mesh/mesh.c", '#include "model/model.h"\n')
        self.assert_found("mesh includes src/model/model.h of model, which lies above")

    def test_upward_public(self):
        self.append("src/base/status.c", '#include "carom/scene.h"\n')
        self.assert_found("base includes include/carom/scene.h of scene, which lies above")

    def test_upward_between_public_headers(self):
        self.append("include/carom/mesh.h", '#include "carom/sim.h"\n')
        self.assert_found("include/carom/mesh.h")

    def test_across_methods(self):
        self.append("src/integrator/static/static.c", '#include "integrator/nonsmooth/sqp.h"\n')
        self.append("src/integrator/nonsmooth/sqp.c", '#include "integrator/newmark_dcr/newmark_projection.h"\n')
        self.assert_found("integrator/static includes src/integrator/nonsmooth/sqp.h of integrator/nonsmooth")
        self.assert_found("integrator/nonsmooth includes src/integrator/newmark_dcr/newmark_projection.h of integrator/newmark_dcr")

    def test_across_technologies_of_contact(self):
        self.append("src/contact/impact/rest.c", '#include "contact/quadrature/facets.h"\n')
        self.assert_found("contact/impact includes src/contact/quadrature/facets.h of contact/quadrature")

    def test_common_part_into_a_room(self):
        self.append("src/integrator/kick_drift.c", '#include "integrator/asynchronous/ticks.h"\n')
        self.assert_found("the common part of integrator includes src/integrator/asynchronous/ticks.h")

    def test_new_room(self):
        self.write("src/contact/extra/planted.c", "")
        self.assert_found("src/contact/extra/planted.c:1: contact/extra is no known module")

    def test_cycle_of_folders(self):
        # Neighbours may see each other in one direction only.
        self.write("src/mesh/planted.h", '#include "material/planted.h"\n')
        self.write("src/material/planted.h", "")
        self.assert_clean()
        self.write("src/material/other.h", '#include "mesh/other.h"\n')
        self.write("src/mesh/other.h", "")
        self.assert_found("cycle of folders")

    def test_cycle_of_headers(self):
        self.write("src/base/one.h", '#include "base/two.h"\n')
        self.write("src/base/two.h", '#include "base/one.h"\n')
        self.assert_found("cycle of files: src/base/one.h -> src/base/two.h -> src/base/one.h")

    def test_yaml_outside_scene(self):
        self.write("src/scene/planted.c", "#include <libfyaml.h>\n")
        self.assert_clean()
        self.append("src/model/model.h", "#include <libfyaml.h>\n")
        self.assert_found("<libfyaml.h> may be included only in src/scene/")

    def test_hdf5_outside_its_file(self):
        self.write("src/output/planted.c", "#include <hdf5.h>\n")
        self.assert_found("<hdf5.h> may be included only in src/output/frames/vtkhdf.c")

    def test_openmp_outside_base(self):
        self.write("src/element/planted.c", "  #  include  <omp.h>\n")
        self.assert_found("<omp.h> may be included only in src/base/")

    def test_third_party_in_public_header(self):
        self.append("include/carom/scene.h", "#include <libfyaml.h>\n")
        self.assert_found("include/carom/scene.h")

    def test_system_outside_of_the_platform(self):
        self.append("src/output/file.c", "#include <sys/mman.h>\n")
        self.append("src/sim/run.c", "#include <windows.h>\n")
        self.append("app/run/run.c", "#include <sys/wait.h>\n")
        self.assert_found("src/output/file.c:")
        self.assert_found("<sys/mman.h> differs between systems: use or extend base/platform.h")
        self.assert_found("<windows.h> differs between systems: use or extend base/platform.h")

    def test_unknown_third_party(self):
        self.append("src/base/status.c", "#include <hwloc.h>\n")
        self.assert_found("<hwloc.h> is neither of C17 or POSIX nor a known dependency")

    def test_new_folder(self):
        self.write("src/utils/planted.c", "")
        self.assert_found("src/utils/planted.c:1: belongs to no layer")

    def test_private_header_in_the_command(self):
        self.append("app/main.c", '#include "model/model.h"\n')
        self.assert_found("app includes the private header src/model/model.h")

    def test_relative_include(self):
        self.append("src/mesh/mesh.c", '#include "../base/text.h"\n')
        self.assert_found('there is no "../base/text.h"')

    def test_internal_header_from_public_one(self):
        self.append("include/carom/model.h", '#include "model/model.h"\n')
        self.assert_found('there is no "model/model.h"')

    def test_between_rooms(self):
        for n, (room, header) in enumerate(self.ROOMS):
            folder = room if room.startswith("app/") else f"src/{room}"
            self.write(f"{folder}/planted{n}.c", f'#include "{header}"\n')
        self.assert_all_found(*(f"/planted{n}.c:1: {room} includes {'' if room.startswith('app/') else 'src/'}{header} of "
                                f"{Path(header).parent}, a module that it may not include"
                                for n, (room, header) in enumerate(self.ROOMS)))

    def test_room_into_a_layer_above(self):
        self.write("src/contact/impact/planted.c", '#include "model/state/ledger.h"\n')
        self.write("src/model/build/planted.c", '#include "integrator/kick_drift.h"\n')
        self.assert_all_found("planted.c:1: contact includes src/model/state/ledger.h of model, which lies above",
                              "planted.c:1: model includes src/integrator/kick_drift.h of integrator, which lies above",
                              "cycle of folders: contact -> model -> contact")

    def test_lines_of_a_file(self):
        for folder in self.SIZED:
            self.write(f"{folder}/full.h", "//\n" * 600)
            self.write(f"{folder}/planted.h", "//\n" * 601)
        self.assert_all_found(*(f"{folder}/planted.h:1: 601 lines; a file has at most 600" for folder in self.SIZED))

    def test_lines_of_a_function(self):
        def function(name, lines):
            return f"static int {name}(int a,\n    int b) {{\n" + "    a++;\n" * (lines - 3) + "}\n"
        for folder in self.SIZED:
            self.write(f"{folder}/planted.c", function("full", 70) + "\n" + function("planted", 71))
        self.assert_all_found(*(f"{folder}/planted.c:72: planted has 71 lines; a function has at most 70"
                                for folder in self.SIZED))

    def test_parameters(self):
        def function(name, count):
            return f"void {name}(int (*call)(int, double), {', '.join(f'int a{i}' for i in range(count - 1))}) {{\n}}\n"
        for folder in self.SIZED:
            self.write(f"{folder}/planted.c", function("full", 9) + function("planted", 10))
        self.assert_all_found(*(f"{folder}/planted.c:3: planted has 10 parameters; a function has at most 9"
                                for folder in self.SIZED))

    def test_sources_of_a_folder(self):
        folders = ("src/parallel", "app/mesh", "test/unit/planted", "bench/planted")
        for folder in folders:
            for n in range(len(list((ROOT / folder).glob("*.c"))) if folder.startswith(("src", "app")) else 0, 30):
                self.write(f"{folder}/planted{n}.c", "")
        self.assert_clean()
        for folder in folders:
            self.write(f"{folder}/planted30.c", "")
        self.assert_all_found(*(f"{folder}: 31 sources; a folder has at most 30" for folder in folders))

    def test_files_that_lead_back_to_each_other(self):
        for count in (8, 9):
            for n in range(count):
                self.write(f"src/base/ring{n}.h", "")
                self.write(f"src/base/ring{n}.c", f'#include "base/ring{(n + 1) % count}.h"\n')
            if count == 8:
                self.assert_clean()
        self.assert_all_found("9 files lead back to each other, at most 8 may: src/base/ring0, src/base/ring1, ")


if __name__ == "__main__":
    unittest.main()
