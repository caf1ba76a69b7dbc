// SPDX-License-Identifier: MIT
// The generator that reads a mesh from a file.
#include <stddef.h>

#include "base/param.h"
#include "mesh/mesh.h"
#include "mesh/rows.h"

static const char *const prisms[] = {"whole", "cut", NULL};

static const carom_param params[] = {
    CAROM_ROW(carom_file_params, path, CAROM_PARAM_TEXT, "",
              .doc = "The file (.msh, .inp, .mesh, .unv, .stl, .obj, .ply, .vtu, .vtk), relative to the folder of the scene."),
    CAROM_ROW(carom_file_params, group, CAROM_PARAM_NAME, "", .initial = "",
              .doc = "The group of cells to take; without it, all cells of the highest dimension. `surface`: the boundary of "
                     "the solid cells."),
    CAROM_ROW(carom_file_params, prisms, CAROM_PARAM_CHOICE, "", .initial = "whole", .choices = prisms,
              .doc =
                  "`whole`: prisms are cells for `wedge6`. `cut`: each becomes three tetrahedra, as it does in any case where "
                  "the body has other solid cells too."),
};

static carom_status generate(const void *params_, carom_mesh *mesh, carom_error *error) {
    const carom_file_params *p = params_;
    return carom_mesh_read(p->path, &(carom_mesh_read_def){.group = p->group, .cut_prisms = p->prisms == CAROM_FILE_PRISMS_CUT},
                           mesh, error);
}

const carom_generator carom_generator_file = {
    CAROM_GENERATOR_KIND(
        "file", carom_file_params, params,
        "A mesh from a file (Gmsh, Abaqus, MEDIT, I-DEAS, VTK, STL, OBJ, PLY). Sets: those of the file, and surface.", ""),
    .generate = generate,
};
